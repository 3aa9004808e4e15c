import { expect, test } from 'vitest';
import { createPipeline } from 'assize/browser';
import { evaluateProfiles } from '@assize/evaluate';
import { StudioModel } from '../../src/page/model/studio-model.js';
import type { StudioData } from '../../src/data/studio-data.js';

const profile = {
  tier2_scorers: [
    { id: 'a', expr: 'candidate.a' },
    { id: 'b', expr: 'candidate.b' },
  ],
};
const candidates = Array.from({ length: 40 }, (_, k) => ({ id: `c${k}`, a: (k * 7) % 40, b: (k * 11) % 40 }));
const grades = candidates.map(({ a }, k) => (k % 5 === 0 ? undefined : Number(a > 25)));

test('the page measures like assize evaluate, and keeps the baseline', async () => {
  const data: StudioData = {
    title: 'x',
    profile,
    scores: {},
    refusals: {},
    signals: {},
    units: {},
    bounded: {},
    controls: {},
    curves: {},
    context: {},
    candidates,
    grades: grades.map((grade) => grade ?? null),
    notes: [],
  };
  const model = await StudioModel.open(data);
  const before = model.qualityOf(model.shown);
  await model.set({ ...model.settings, weights: { b: 0 } });
  const now = model.qualityOf(model.shown);
  const query = { id: 'q', candidates, grades };
  const measures = ['nDCG@10', 'AP', 'RR'];
  const evaluation = await evaluateProfiles(
    {
      both: await createPipeline(profile),
      one: await createPipeline({ ...profile, tier2_scorers: [profile.tier2_scorers[0]!] }),
    },
    [query],
    { measures },
  );
  for (const measure of measures) {
    expect([before.get(measure), now.get(measure)]).toEqual(evaluation.profiles.map(({ means }) => means[measure]));
  }
  expect(now.get('AUC')).toBe(1);
  expect(model.qualityOf(model.baseline)).toEqual(before);
});
