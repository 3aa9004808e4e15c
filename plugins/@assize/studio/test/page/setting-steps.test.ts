import { expect, test } from 'vitest';
import { MOST_STEPS, SettingSteps } from '../../src/page/settings/setting-steps.js';
import { NOTHING_SET, type Settings } from '../../src/page/settings/settings.js';

const weights = (own: Settings['weights']): Settings => ({ ...NOTHING_SET, weights: own });
/** Another profile without `b`. */
const withoutB = ({ weights: { a } }: Settings): Settings => weights(a === undefined ? {} : { a });

test('with another profile, steps contain only its changes, back and forth', () => {
  const steps = new SettingSteps();
  for (const one of [{ b: 1 }, { b: 1, a: 1 }, { b: 2, a: 1 }, { b: 2, a: 2 }]) steps.set(weights(one));
  steps.undo();
  const carried = steps.carried(withoutB);
  expect(carried.now).toEqual(weights({ a: 1 }));
  expect(carried.undo()).toEqual(NOTHING_SET);
  expect(carried.canUndo).toBe(false);
  expect(carried.redo()).toEqual(weights({ a: 1 }));
  expect(carried.redo()).toEqual(weights({ a: 2 }));
  expect(carried.canRedo).toBe(false);
  expect(steps.now).toEqual(weights({ b: 2, a: 1 }));
});

test('a value during dragging is transferred, and is not a step', () => {
  const steps = new SettingSteps();
  steps.set(weights({ a: 1 }));
  steps.drag(weights({ a: 5 }));
  const carried = steps.carried(withoutB);
  expect(carried.now).toEqual(weights({ a: 5 }));
  carried.set(weights({ a: 6 }));
  expect(carried.undo()).toEqual(weights({ a: 1 }));
});

test('a failed step is not a step', () => {
  const steps = new SettingSteps();
  const [failing, works] = [weights({ a: -1 }), weights({ a: 1 })];
  steps.set(failing);
  steps.failed(failing, NOTHING_SET);
  expect([steps.now, steps.canUndo]).toEqual([NOTHING_SET, false]);
  steps.set(works);
  expect([steps.undo(), steps.canUndo, steps.redo()]).toEqual([NOTHING_SET, false, works]);
});

test('a step without a change is not a step, and removes nothing', () => {
  const steps = new SettingSteps();
  steps.set(weights({ a: 1 }));
  steps.undo();
  steps.drag(weights({ a: 2 }));
  steps.set(weights({}));
  expect([steps.now, steps.canUndo, steps.redo()]).toEqual([NOTHING_SET, false, weights({ a: 1 })]);
});

test('only the last steps are kept', () => {
  const steps = new SettingSteps();
  for (let k = 1; k <= MOST_STEPS + 3; k++) steps.set(weights({ a: k }));
  let undone = 0;
  for (; steps.canUndo; undone++) steps.undo();
  expect([undone, steps.now]).toEqual([MOST_STEPS, weights({ a: 3 })]);
});
