import { expect, test } from 'vitest';
import { foldWarning, type HeldOut } from '../../src/tune/held-out.js';

const heldOut = (by: string, low: number, high: number): HeldOut => ({
  by,
  folds: 5,
  repeats: 1,
  units: 100,
  before: 0.5,
  after: 0.5 + (low + high) / 2,
  difference: (low + high) / 2,
  interval: [low, high],
  p: low > 0 ? 0.001 : 0.5,
  variance: { within: 0.01, between: 0, independent: 0.01, degrees: 99 },
  verdict: low > 0 ? 'better' : 'no difference shown',
});
const warned = (...all: readonly HeldOut[]): readonly string[] => foldWarning(all).map(({ message }) => message);

test('folds that agree give no warning, whichever are better', () => {
  expect(warned(heldOut('task', 0.2, 0.3))).toEqual([]);
  expect(warned(heldOut('source', 0.15, 0.25), heldOut('task', 0.2, 0.3))).toEqual([]);
  expect(warned(heldOut('source', -0.1, 0.1), heldOut('task', -0.2, 0.1))).toEqual([]);
});

test('warns if only some folds show a gain, and if gains differ', () => {
  expect(warned(heldOut('source', -0.1, 0.1), heldOut('task', 0.05, 0.2))).toEqual([
    'by source the verdict is no difference shown (+0.000), by task better (+0.125)',
  ]);
  expect(warned(heldOut('source', 0.05, 0.1), heldOut('task', 0.2, 0.3))).toEqual([
    'by source the verdict is better (+0.075), by task better (+0.250)',
  ]);
});
