import { expect, it } from 'vitest';
import { caseName, celCases, outcomeOf } from './cel.js';

it('CEL has no case with a silently different value', () => {
  const outcomes = celCases().map((one) => ({ name: caseName(one), ...outcomeOf(one) }));
  expect(outcomes.filter(({ outcome }) => outcome === 'wrong')).toEqual([]);
  expect(outcomes.filter(({ outcome }) => outcome === 'pass').length).toBeGreaterThanOrEqual(740);
});
