import { expect, test } from 'vitest';
import type { StudioData } from '../../../src/studio/data/studio-data.js';
import { StudioModel } from '../../../src/studio/page/studio-model.js';

const data: StudioData = {
  title: 'x',
  profile: {
    tier2_scorers: [
      { id: 'a', expr: 'candidate.a' },
      { id: 'b', expr: 'candidate.b' },
    ],
  },
  scores: {},
  refusals: {},
  signals: {},
  units: {},
  controls: {},
  curves: {},
  context: {},
  candidates: [
    { id: 'x', a: 1, b: 0 },
    { id: 'y', a: 0, b: 0.5 },
  ],
  notes: [],
};
const weigh = (model: StudioModel, b: number) => ({ ...model.settings, weights: { b } });

test('what is dragged is one step, however often it is drawn on the way', async () => {
  const model = await StudioModel.open(data);
  for (const b of [1, 2, 3]) await model.preview(weigh(model, b));
  await model.set(weigh(model, 4));
  await model.set(weigh(model, 5));
  await model.undo();
  expect(model.settings.weights).toEqual({ b: 4 });
  await model.undo();
  expect(model.settings.weights).toEqual({});
  expect(model.canUndo).toBe(false);
  await model.redo();
  expect(model.settings.weights).toEqual({ b: 4 });
});

test('a step that fails changes nothing, and is none', async () => {
  const model = await StudioModel.open(data);
  await model.set(weigh(model, 2));
  await expect(model.set({ ...model.settings, params: { a: { n: 1 } } })).rejects.toThrow('no server');
  expect(model.settings.weights).toEqual({ b: 2 });
  await model.undo();
  expect(model.settings.weights).toEqual({});
});

test('what takes its time is said, until it is there', async () => {
  let answer: (data: StudioData) => void = () => {};
  const asked = new Promise<StudioData>((resolve) => (answer = resolve));
  const model = await StudioModel.open(data, undefined, () => asked);
  const busy = new Promise<void>((seen) => void model.subscribe(() => model.isBusy && seen()));
  const setting = model.set({ ...model.settings, params: { a: { n: 1 } } });
  await busy;
  answer(data);
  await setting;
  expect(model.isBusy).toBe(false);
  expect(model.settings.params).toEqual({ a: { n: 1 } });
});
