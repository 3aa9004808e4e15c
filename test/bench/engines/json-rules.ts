import { Engine as RulesEngine } from 'json-rules-engine';
import type { Engine } from './engine.js';
import { TopTen } from './top-ten.js';
import { HALF_LIFE, type Item, MAX_AGE, MAX_TOKENS, NOW, SHARES } from './work.js';

const [A = 0, B = 0, C = 0, D = 0, E = 0, F = 0, G = 0] = SHARES;

const arithmetic = (one: Item): number => {
  const fresh = 2 ** -(Math.max(0, NOW - one.published) / HALF_LIFE);
  return A * one.a + B * one.b + C * one.c + D * one.d + E * one.e + F * one.f + G * fresh;
};

/**
 * One engine with one rule, run for each candidate with only the facts that the rule reads. It has no arithmetic: it
 * evaluates only the vetoes, and the score is calculated by hand. A rule for each weight would take several times as
 * long.
 */
export const jsonRules: Engine = {
  name: 'json-rules-engine, vetoes only',
  package: 'json-rules-engine',
  tolerance: 1e-12,
  slow: true,
  open() {
    const conditions = {
      all: [
        { fact: 'available', operator: 'equal', value: true },
        { fact: 'tokens', operator: 'lessThanInclusive', value: MAX_TOKENS },
        { fact: 'age', operator: 'lessThanInclusive', value: MAX_AGE },
      ],
    };
    const engine = new RulesEngine([{ conditions, event: { type: 'kept' } }]);
    return async (list) => {
      const top = new TopTen();
      for (const [index, one] of list.entries()) {
        const { available, tokens, age } = one;
        // oxlint-disable-next-line no-await-in-loop -- it never waits, so sequential costs the same as concurrent
        const { events } = await engine.run({ available, tokens, age });
        if (events.length > 0) top.offer(arithmetic(one), index);
      }
      return top.best;
    };
  },
};
