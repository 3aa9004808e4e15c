import { Environment } from '@marcbachmann/cel-js';
import type { Engine } from './engine.js';
import { TopTen } from './top-ten.js';
import { FIELDS, HALF_LIFE, type Item, MAX_AGE, MAX_TOKENS, NOW, SHARES } from './work.js';

/**
 * Parsed once in an environment with typed variables, so values are not inspected; an item is the context itself.
 * Numbers are declared as doubles: integers would have to be BigInts.
 */
export const celJs: Engine = {
  name: '@marcbachmann/cel-js, typed',
  package: '@marcbachmann/cel-js',
  tolerance: 1e-12,
  open() {
    const environment = new Environment()
      .registerConstant('now', 'double', NOW)
      .registerVariable('available', 'bool')
      .registerFunction('exp2(double): double', (x: number) => 2 ** x)
      .registerFunction('max(double, double): double', (a: number, b: number) => Math.max(a, b));
    for (const name of [...FIELDS, 'published', 'tokens', 'age']) environment.registerVariable(name, 'double');
    const fresh = `exp2(-max(0.0, now - published) / ${HALF_LIFE}.0)`;
    const keeps = environment.parse(`available && tokens <= ${MAX_TOKENS}.0 && age <= ${MAX_AGE}.0`);
    const scores = environment.parse([...FIELDS, fresh].map((term, k) => `${SHARES[k]} * ${term}`).join(' + '));
    const asContext = (one: Item): Record<string, unknown> => one as unknown as Record<string, unknown>;
    return (list) => {
      const top = new TopTen();
      for (let index = 0; index < list.length; index++) {
        const one = asContext(list[index]!);
        if (keeps(one) === true) top.offer(scores(one) as number, index);
      }
      return top.best;
    };
  },
};
