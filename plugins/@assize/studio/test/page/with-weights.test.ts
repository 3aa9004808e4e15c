import { expect, test } from 'vitest';
import type { StudioData } from '../../src/data/studio-data.js';
import { NOTHING_SET } from '../../src/page/settings/settings.js';
import { withWeightEverywhere, withWeights } from '../../src/page/settings/with-weights.js';

const data: StudioData = {
  title: 'x',
  profile: {
    tier2_scorers: [
      { id: 'a', expr: 'candidate.a' },
      { id: 'b', expr: 'candidate.b', weight: 2 },
    ],
    weights: { by: 'context.kind', cases: { one: { a: 5 }, two: {} } },
  },
  scores: {},
  refusals: {},
  signals: {},
  units: {},
  bounded: {},
  controls: {},
  curves: {},
  context: {},
  candidates: [],
  notes: [],
};

test("a weight that is reset to the profile's value is not a setting", () => {
  const set = withWeights(data, NOTHING_SET, { a: 3, b: 4 });
  expect(set.weights).toEqual({ a: 3, b: 4 });
  expect(withWeights(data, set, { a: 1 }).weights).toEqual({ b: 4 });
  expect(withWeights(data, set, { a: 1, b: 2 })).toEqual(NOTHING_SET);
});

test('for a case, only its own value is not a setting', () => {
  const set = withWeights(data, NOTHING_SET, { a: 3 }, 'one');
  expect(set).toEqual({ ...NOTHING_SET, cases: { one: { a: 3 } } });
  expect(withWeights(data, set, { a: 5 }, 'one')).toEqual(NOTHING_SET);
  expect(withWeights(data, NOTHING_SET, { a: 1 }, 'two').cases).toEqual({ two: { a: 1 } });
});

test('everywhere means the scorer, and the cases with another value', () => {
  expect(withWeightEverywhere(data, NOTHING_SET, 'a', 7)).toEqual({
    ...NOTHING_SET,
    weights: { a: 7 },
    cases: { one: { a: 7 } },
  });
  expect(withWeightEverywhere(data, NOTHING_SET, 'a', 5).cases).toEqual({});
});
