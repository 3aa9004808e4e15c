import { compileExpression } from 'filtrex';
import type { Engine } from './engine.js';
import { TopTen } from './top-ten.js';
import { FIELDS, HALF_LIFE, type Item, MAX_AGE, MAX_TOKENS, NOW, SHARES } from './work.js';

/**
 * Compiled once; the power is its own operator. Its getter, which a `customProp` could replace, costs almost nothing.
 */
export const filtrex: Engine = {
  name: 'filtrex',
  package: 'filtrex',
  tolerance: 1e-12,
  open() {
    const options = { constants: { now: NOW } };
    const fresh = `2 ^ (0 - max(0, now - published) / ${HALF_LIFE})`;
    const keeps: (one: Item) => unknown = compileExpression(
      `available and tokens <= ${MAX_TOKENS} and age <= ${MAX_AGE}`,
      options,
    );
    const scores: (one: Item) => number = compileExpression(
      [...FIELDS, fresh].map((term, k) => `${SHARES[k]} * ${term}`).join(' + '),
      options,
    );
    return (list) => {
      const top = new TopTen();
      for (let index = 0; index < list.length; index++) {
        const one = list[index]!;
        // A failure is a returned error, which would be truthy.
        if (keeps(one) === true) top.offer(scores(one), index);
      }
      return top.best;
    };
  },
};
