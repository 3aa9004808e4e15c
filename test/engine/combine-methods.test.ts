import { expect, test } from 'vitest';
import { ARITHMETICS } from '../../src/engine/kernel/combine-methods.js';
import { COMBINE_METHOD_NAMES, readsWeights } from '../../src/profile/combine-methods.js';

test.each(COMBINE_METHOD_NAMES)('the arithmetic of %s matches its facts', (name) => {
  const { add, finish, hidesBadScores, minScore, start, weighted } = ARITHMETICS[name];
  expect(weighted).toBe(readsWeights(name));
  // Unless the total hides it, the loops do not test the least score: such a row is resolved and refused because its
  // total is not finite.
  if (minScore === Number.NEGATIVE_INFINITY || hidesBadScores) return;
  const total = add(add(start, minScore - 1, 0.5), 1, 0.5);
  expect(finish ? finish.apply(total) : total).toBeNaN();
});
