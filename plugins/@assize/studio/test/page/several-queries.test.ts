import { expect, test } from 'vitest';
import { createPipeline } from 'assize';
import { compareProfiles, evaluateProfiles } from '@assize/evaluate';
import { compareSides } from '../../src/page/beside/compare-sides.js';
import { NOTHING_SET } from '../../src/page/settings/settings.js';
import { queryGains, SeveralQueries } from '../../src/page/queries/several-queries.js';
import { StudioModel } from '../../src/page/model/studio-model.js';
import { StudioSession } from '../../src/server/studio-session.js';
import { newFolder } from '../../../../../test/scale/threads/folder.js';

const folder = newFolder();
const profile = folder.write(
  'profile.yaml',
  `tier1_scorers: [{ id: odd, class: ThresholdVeto, params: { value: a, max: 35 } }]
tier2_scorers:
  - { id: a, class: ScaledScorer, params: { scorer: { expr: candidate.a } } }
  - { id: b, expr: 'candidate.b + size(context.text)', weight: 2 }
`,
);
const queries = Array.from({ length: 12 }, (_, q) => {
  const candidates = Array.from({ length: 5 + q }, (_one, k) => ({ a: (k * 7 + q) % 40, b: (k * 11 + q * 3) % 40 }));
  const grades = candidates.map(({ a }, k) => (k % 5 === 4 ? undefined : Math.max(0, a - 20)));
  return { id: `q${q}`, context: { text: 'x'.repeat(q) }, candidates, grades, missing: q % 3 === 0 ? [5] : [] };
});
const measures = ['nDCG@10', 'AP', 'RR'];

test('measures queries like assize evaluate, also with other weights and without a rule, and shows the gains', async () => {
  const session = await StudioSession.open({ profile, queries });
  const several = new SeveralQueries(await session.data(), await session.allQueries(), undefined);
  const before = await several.measure(NOTHING_SET, () => true);
  const now = await several.measure({ ...NOTHING_SET, weights: { b: 0.1 } }, () => true);
  const without = await several.measure({ ...NOTHING_SET, off: ['b'] }, () => true);
  const other = (entry: object) => createPipeline({ extends: [profile], tier2_scorers: [{ id: 'b', ...entry }] });
  const evaluation = await evaluateProfiles(
    {
      before: await createPipeline(profile),
      now: await other({ weight: 0.1 }),
      without: await other({ enabled: false }),
    },
    queries,
    { measures },
  );
  for (const [k, quality] of [before, now, without].entries()) {
    const { means, values } = evaluation.profiles[k]!;
    for (const measure of measures) {
      expect(quality?.means.get(measure)).toBe(means[measure]);
      expect(quality?.byQuery.map((one) => one.get(measure))).toEqual([...values[measure]!]);
    }
  }
  const [first, ...rest] = queryGains(now!, before!);
  const gain = (q: number) => now!.byQuery[q]!.get('nDCG@10')! - before!.byQuery[q]!.get('nDCG@10')!;
  expect(first!.gain).toBe(gain(first!.query));
  expect(rest.every((one) => one.gain <= first!.gain && one.gain !== 0)).toBe(true);
});

test('stops measuring when a newer setting arrives', async () => {
  const session = await StudioSession.open({ profile, queries });
  const several = new SeveralQueries(await session.data(), await session.allQueries(), undefined);
  let asked = 0;
  expect(await several.measure(NOTHING_SET, () => (asked += 1) < 4)).toBeUndefined();
  expect(asked).toBe(4);
});

test('shows another query with the same settings and steps, and a baseline with the same settings', async () => {
  const session = await StudioSession.open({ profile, queries });
  const data = await session.data();
  const several = new SeveralQueries(data, await session.allQueries(), undefined);
  const model = await StudioModel.open(data);
  await model.set({ ...model.settings, weights: { a: 3 } });
  const other = await model.about(several.dataOf(5), undefined);
  const pipeline = await createPipeline<object>(profile);
  const { candidates, context } = queries[5]!;
  const ids = (indexes: Iterable<number>) => [...indexes];
  const ranked = await pipeline.rank(candidates, context);
  expect(ids(other.baseline.order)).toEqual(ranked.ranked.map(({ index }) => index));
  const weighed = await pipeline.rank(candidates, context, { weights: { a: 3 } });
  expect(ids(other.shown.order)).toEqual(weighed.ranked.map(({ index }) => index));
  await other.undo();
  expect(ids(other.shown.order)).toEqual(ids(other.baseline.order));
});

test('another profile as the baseline stays the baseline, for another query and a changed file', async () => {
  const other = folder.write('other.yaml', 'tier2_scorers: [{ id: b, expr: -candidate.b }]\n');
  const session = await StudioSession.open({ profile, others: [other], queries });
  const data = await session.data();
  const several = new SeveralQueries(data, await session.allQueries(), undefined);
  const model = await StudioModel.open(data);
  model.pin(model.history.kept.find(({ name }) => name === other));
  await model.set({ ...model.settings, weights: { a: 3 } });
  const of5 = await model.about(several.dataOf(5), undefined);
  const pipeline = await createPipeline<object>(other);
  const ranked = await pipeline.rank(queries[5]!.candidates, queries[5]!.context);
  const expected = ranked.ranked.map(({ index }) => index);
  expect(of5.baselineKept?.name).toBe(other);
  expect([...of5.baseline.order]).toEqual(expected);
  const reloaded = await of5.reloaded(several.dataOf(5), 'reloaded');
  expect(reloaded.baselineKept?.name).toBe(other);
  expect([...reloaded.baseline.order]).toEqual(expected);
  expect(reloaded.history.kept.map(({ name }) => name)).toEqual(['Changed on disk', 'As opened', other]);
});

test.each([
  ['queries', queries],
  ['groups of queries', queries.map((query, q) => ({ ...query, group: `g${q % 4}` }))],
])('compares two sides like assize evaluate, over %s', async (_what, judged) => {
  const other = folder.write('aside.yaml', 'tier2_scorers: [{ id: b, expr: -candidate.b }]\n');
  const session = await StudioSession.open({ profile, others: [other], queries: judged });
  const several = new SeveralQueries(await session.data(), await session.allQueries(), undefined);
  const left = (await several.measure(NOTHING_SET, () => true))!;
  const right = (await several.measureKept({ name: other }, () => true))!;
  expect(await several.measureKept({ name: 'As opened', settings: NOTHING_SET }, () => true)).toEqual(left);
  const [own, aside] = [await createPipeline<object>(profile), await createPipeline<object>(other)];
  const evaluation = await evaluateProfiles({ left: own, right: aside }, judged, { measures });
  expect(Object.fromEntries(right.means)).toEqual(evaluation.profiles[1]!.means);
  expect(compareSides(several, left, right)).toEqual(compareProfiles(evaluation));
  const verdicts = compareSides(several, left, left).map(({ verdict }) => verdict);
  expect(verdicts).toEqual(measures.map(() => 'no difference shown'));
});

test('gives no verdict if few of the ranks are judged, like assize evaluate', async () => {
  const other = folder.write('sparse.yaml', 'tier2_scorers: [{ id: b, expr: -candidate.b }]\n');
  const sparse = queries.map((query, q) => ({
    ...query,
    grades: query.grades.map((_, k) => (k === 0 ? q : undefined)),
  }));
  const session = await StudioSession.open({ profile, others: [other], queries: sparse });
  const several = new SeveralQueries(await session.data(), await session.allQueries(), undefined);
  const left = (await several.measure(NOTHING_SET, () => true))!;
  const right = (await several.measureKept({ name: other }, () => true))!;
  const pipelines = { left: await createPipeline<object>(profile), right: await createPipeline<object>(other) };
  const compared = compareSides(several, left, right);
  expect(compared).toEqual(compareProfiles(await evaluateProfiles(pipelines, sparse, { measures })));
  expect(compared.map(({ verdict }) => verdict)).toEqual(measures.map(() => 'too little judged'));
});

test('the quality of another profile equals that of its own list', async () => {
  const other = folder.write('beside.yaml', 'tier2_scorers: [{ id: b, expr: candidate.b / 10 }]\n');
  const { candidates, context, grades } = queries[11]!;
  const source = { candidates, context, grades };
  const beside = await StudioModel.open(
    await (await StudioSession.open({ ...source, profile, others: [other] })).data(),
  );
  const alone = await StudioModel.open(await (await StudioSession.open({ ...source, profile: other })).data());
  const kept = beside.history.kept.find(({ name }) => name === other);
  const quality = beside.qualityOf(kept!.snapshot);
  expect(quality.get('AUC')).toBeGreaterThan(0);
  expect(quality).toEqual(alone.qualityOf(alone.shown));
});
