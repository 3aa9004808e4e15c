import { expect, test } from 'vitest';
import type { StudioData } from '../../src/data/studio-data.js';
import { pageSteps } from '../../src/page/judge/page-steps.js';
import { StudioModel } from '../../src/page/model/studio-model.js';

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
  bounded: {},
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

test('a drag is one step, however often it is drawn', async () => {
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

test('undo and redo by keys in quick succession use the steps of that moment', async () => {
  const model = await StudioModel.open(data);
  await model.set(weigh(model, 2));
  const steps = pageSteps(model, undefined);
  await Promise.all([steps.undo(), steps.redo()]); // before the page is drawn again
  expect(model.settings.weights).toEqual({ b: 2 });
  expect(pageSteps(model, undefined)).toMatchObject({ canUndo: true, canRedo: false });
});

test('a failed step changes nothing, and is not a step', async () => {
  const model = await StudioModel.open(data);
  await model.set(weigh(model, 2));
  await expect(model.set({ ...model.settings, params: { a: { n: 1 } } })).rejects.toThrow('no server');
  expect(model.settings.weights).toEqual({ b: 2 });
  await model.undo();
  expect(model.settings.weights).toEqual({});
});

test('reports a slow step until it is finished', async () => {
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

test('a setting during the computation of an earlier one has both', async () => {
  let answer: (data: StudioData) => void = () => {};
  const asked = new Promise<StudioData>((resolve) => (answer = resolve));
  const model = await StudioModel.open(data, undefined, () => asked);
  const first = model.set({ ...model.settings, params: { a: { n: 1 } } });
  const second = model.set(weigh(model, 3));
  answer(data);
  await Promise.all([first, second]);
  expect(model.settings).toMatchObject({ params: { a: { n: 1 } }, weights: { b: 3 } });
  await model.undo();
  expect(model.settings).toMatchObject({ params: { a: { n: 1 } }, weights: {} });
});

test('settings, pins and names made while another query loads are kept', async () => {
  const model = await StudioModel.open(data, undefined, async () => data);
  await model.set({ ...model.settings, params: { a: { n: 1 } } });
  let answer: (data: StudioData) => void = () => {};
  const asked = new Promise<StudioData>((resolve) => (answer = resolve));
  let begun: () => void = () => {};
  const loading = new Promise<void>((resolve) => (begun = resolve));
  const other = model.about({ ...data, candidates: data.candidates.toReversed() }, () => {
    begun();
    return asked;
  });
  await loading;
  model.pin();
  await model.set(weigh(model, 4));
  model.keep('mine');
  answer(data);
  const loaded = await other;
  expect(loaded.settings).toMatchObject({ params: { a: { n: 1 } }, weights: { b: 4 } });
  expect([...loaded.shown.order]).toEqual([0, 1]);
  expect(loaded.history.kept.map(({ name }) => name)).toEqual(['mine', 'Baseline', 'As opened']);
  expect(loaded.baselineKept?.name).toBe('Baseline');
  await loaded.undo();
  expect(loaded.settings.weights).toEqual({});
});

test('undo after a save sets removed values; after another change of the file only own settings', async () => {
  const withWeights = (a: number, b: number, enabled: boolean): StudioData => ({
    ...data,
    profile: {
      tier2_scorers: [
        { id: 'a', expr: 'candidate.a', weight: a },
        { id: 'b', expr: 'candidate.b', weight: b, enabled },
      ],
    },
  });
  const model = await StudioModel.open(withWeights(1, 1, true));
  await model.set({ ...model.settings, weights: { a: 4 } });
  await model.set({ ...model.settings, off: ['b'] });
  const saved = await model.reloaded(withWeights(4, 1, false), 'saved');
  expect(saved.changed).toBe(false);
  await saved.undo();
  expect(saved.settings).toMatchObject({ weights: {}, on: ['b'] });
  expect([...saved.shown.order]).toEqual([0, 1]);
  await saved.undo();
  expect(saved.settings).toMatchObject({ weights: { a: 1 }, on: ['b'] });
  expect(saved.canUndo).toBe(false);

  const changed = await model.reloaded(withWeights(2, 7, true), 'reloaded');
  expect(changed.settings).toMatchObject({ weights: { a: 4 }, off: ['b'] });
  await changed.undo();
  await changed.undo();
  expect(changed.changed).toBe(false);
});
