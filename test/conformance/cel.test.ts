import { expect, it } from 'vitest';
import { celCases, celDifferences, celTally, outcomeOf } from './cel.js';

it('no case of CEL’s tests has a silently different value', () => {
  expect(celCases().filter((one) => outcomeOf(one).outcome === 'wrong')).toEqual([]);
});

it('each case that does not pass has a reason, and the number of those that pass does not fall', () => {
  const { passed, failed, skipped } = celTally();
  expect(failed).toEqual([]);
  expect(passed).toBe(celDifferences().passing);
  expect(passed).toBeGreaterThanOrEqual(1350);
  expect(passed + skipped.reduce((total, { cases }) => total + cases, 0)).toBe(celCases().length);
});
