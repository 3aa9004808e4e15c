import { describe, expect, test } from 'vitest';
import { evaluateLabelled, evaluateProfiles, type JudgedQuery } from '@assize/evaluate';
import { createPipeline, type ProfileInput, type ProgressStep } from 'assize';
import { defineScorer, z } from 'assize/sdk';
import { type TuneOptions, tuneWeights } from '@assize/evaluate/tune';
import { seededRandom } from '../../src/significance/distributions.js';
import { type Item, madeQueries } from './made-queries.js';

const MEASURE = 'nDCG@5';
const profile: ProfileInput = {
  name: 'items',
  tier2_scorers: [
    { id: 'good', expr: 'candidate.good' },
    { id: 'bad', expr: 'candidate.bad' },
    { id: 'noise', expr: 'candidate.noise' },
    { id: 'peak', expr: 'candidate.peak', on_absent: 0.5 },
  ],
};
const queries = madeQueries(50);
const tune = (more: ProfileInput = {}, options: TuneOptions = {}, given: readonly JudgedQuery<Item>[] = queries) =>
  tuneWeights({ ...profile, ...more }, given, { measure: MEASURE, repeats: 1, ...options });

const weightsOf = (scorers: readonly { readonly id: string; readonly weight: number }[]): Record<string, number> =>
  Object.fromEntries(scorers.map(({ id, weight }) => [id, weight]));

describe('weights', () => {
  test('are found, in hundredths that keep their sum, with a gain on held-out queries', async () => {
    const { scorers, heldOut, shown, training, change, learntFrom } = await tune();
    const { good, bad, noise } = weightsOf(scorers);
    expect(good).toBeGreaterThan(2);
    expect(bad).toBe(0);
    expect(noise).toBeLessThan(0.8);
    expect(scorers.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(4, 12);
    for (const { weight } of scorers) expect(Number(weight.toFixed(2))).toBe(weight);
    expect(heldOut[0]).toMatchObject({ by: 'query', folds: 5, units: 50, verdict: 'better' });
    expect(heldOut[0].interval[0]).toBeGreaterThan(0);
    expect(training.after).toBeGreaterThan(training.before);
    expect(shown).toBe(true);
    expect(learntFrom).toEqual({ queries: 50, notSelected: 0, candidates: 500 });
    expect(change.tier2_scorers?.[1]).toEqual({ id: 'bad', enabled: false });
  });

  test.each([
    [[0.4, 0.3, 0.2, 0.1], 0.01],
    [[4, 3, 2, 1], 0.01],
    [[40, 30, 20, 10], 1],
    [[0.004, 0.003, 0.002, 0.001], 0.0001],
  ])('of %j keep their scale, in steps of %d', async (before, step) => {
    const entries = profile.tier2_scorers!.map((entry, k) => ({ ...entry, weight: before[k]! }));
    for (const combine of ['weighted_mean', 'weighted_sum'] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      const { scorers } = await tune({ tier2_scorers: entries, combine });
      const sum = before.reduce((all, one) => all + one, 0);
      expect(scorers.reduce((all, { weight }) => all + weight, 0)).toBeCloseTo(sum, 9);
      for (const { weight } of scorers) expect(weight / step).toBeCloseTo(Math.round(weight / step), 6);
    }
  });

  test('of 0 that would help if negative are named, and those of noise are not', async () => {
    const named = (warnings: readonly { readonly code: string; readonly message: string }[]) =>
      warnings.filter(({ code }) => code === 'ASZ740').map(({ message }) => message);
    const { scorers, warnings } = await tune();
    expect(weightsOf(scorers)['bad']).toBe(0);
    expect(named(warnings)).toEqual(['bad: the weight is 0, and a negative one would probably help']);
    expect(named((await tune({ combine: 'weighted_sum' }, { signed: true })).warnings)).toEqual([]);
    expect(named((await tune({}, { curves: 3 })).warnings)).toEqual([]);
  });

  test('of 0 in a geometric mean get a hint without curves, which it cannot have', async () => {
    const { warnings } = await tune({ combine: 'geometric_mean' });
    const hints = warnings.filter(({ code }) => code === 'ASZ740').map(({ hint }) => hint);
    expect(hints).toEqual(['try combine: weighted_sum with --signed']);
  });

  test('are few if a sparse model is requested, which is nearly as good', async () => {
    const random = seededRandom(4);
    const noise = Array.from({ length: 30 }, (_, k) => `n${k}`);
    const given = queries.map((query) => ({
      ...query,
      candidates: query.candidates.map((one) => ({ ...one, ...Object.fromEntries(noise.map((id) => [id, random()])) })),
    }));
    const many: ProfileInput = {
      tier2_scorers: [{ id: 'good', expr: 'candidate.good' }, ...noise.map((id) => ({ id, expr: `candidate.${id}` }))],
    };
    for (const curves of [undefined, 3]) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      const [all, sparse] = [
        await tune(many, { curves, folds: 3 }, given),
        await tune(many, { curves, folds: 3, sparse: true }, given),
      ];
      const count = ({ scorers }: typeof all) => scorers.filter(({ weight }) => weight > 0).length;
      expect(weightsOf(sparse.scorers)['good']).toBeGreaterThan(0);
      expect(count(sparse)).toBeLessThanOrEqual(4);
      expect(count(sparse)).toBeLessThan(count(all));
      expect(sparse.heldOut[0].after).toBeGreaterThan(all.heldOut[0].after - 0.03);
    }
  });

  test('give the reported measure when written', async () => {
    const { training, change } = await tune();
    const tuned = await createPipeline<Item>({ ...profile, tier2_scorers: mergeById(change.tier2_scorers) });
    const { profiles } = await evaluateProfiles({ tuned }, queries, { measures: [MEASURE] });
    expect(profiles[0]!.means[MEASURE]).toBeCloseTo(training.after, 12);
  });

  test('are the same for the same seed', async () => {
    expect(await tune({}, { seed: 7 })).toEqual(await tune({}, { seed: 7 }));
  });

  test('show no gain if there is nothing to learn', async () => {
    const blind: ProfileInput = {
      tier2_scorers: [
        { id: 'noise', expr: 'candidate.noise' },
        { id: 'hiss', expr: 'candidate.hiss' },
      ],
    };
    const { shown, heldOut } = await tune(blind);
    expect(shown).toBe(false);
    expect(heldOut[0].verdict).not.toBe('better');
  });

  test('may be negative if requested and summed, and keep their sum', async () => {
    const { scorers } = await tune({ combine: 'weighted_sum' }, { signed: true });
    const { good, bad } = weightsOf(scorers);
    expect(good).toBeGreaterThan(1);
    expect(bad).toBeLessThan(0);
    expect(scorers.reduce((sum, { weight }) => sum + Math.abs(weight), 0)).toBeCloseTo(4, 1);
  });

  test('that are expressions, or not requested, are unchanged', async () => {
    const [good, ...others] = profile.tier2_scorers!;
    const { scorers, left } = await tune(
      { tier2_scorers: [{ ...good!, weight: '1.0 + 1.0' }, ...others] },
      { only: ['good', 'bad', 'peak'] },
    );
    expect(scorers.map(({ id }) => id)).toEqual(['bad', 'peak']);
    expect(left).toEqual([
      { id: 'good', because: 'its weight is an expression' },
      { id: 'noise', because: 'it was not selected for tuning' },
    ]);
  });

  test('of a case are found for its rows', async () => {
    const cases: ProfileInput = {
      weights: { by: 'candidate.noise > 0.5 ? "loud" : "quiet"', cases: { loud: { good: 0.1, bad: 3 } } },
    };
    const { scorers, change, training } = await tune(cases, { case: 'loud' });
    const { good, bad } = weightsOf(scorers);
    expect(good).toBeGreaterThan(bad!);
    expect(change).toEqual({ weights: { cases: { loud: weightsOf(scorers) } } });
    const tuned = await createPipeline<Item>({
      ...profile,
      ...cases,
      weights: { ...cases.weights!, cases: change.weights!.cases },
    });
    const { profiles } = await evaluateProfiles({ tuned }, queries, { measures: [MEASURE] });
    expect(profiles[0]!.means[MEASURE]).toBeCloseTo(training.after, 12);
  });

  test.each(['lists', 'pairs'] as const)('are found from %s', async (loss) => {
    expect((await tune({}, { loss })).shown).toBe(true);
  });

  test.each(['weighted_sum', 'geometric_mean'] as const)('are those of a %s', async (combine) => {
    const { scorers, heldOut } = await tune({ combine });
    expect(weightsOf(scorers)['good']).toBeGreaterThan(weightsOf(scorers)['bad']!);
    expect(heldOut[0].after).toBeGreaterThan(heldOut[0].before);
  });
});

describe('curves', () => {
  test('fall if a weight would be negative, and reach from 0 to 1 with at most this number of points', async () => {
    const { scorers, heldOut, shown } = await tune({}, { curves: 5 });
    expect(shown).toBe(true);
    expect(heldOut[0].after).toBeGreaterThan((await tune()).heldOut[0].after);
    for (const { points = [], weight } of scorers.filter((one) => one.weight > 0)) {
      expect(weight).toBeGreaterThan(0);
      expect(points.length).toBeLessThanOrEqual(5);
      const ys = points.map(([, y]) => y);
      expect([Math.min(...ys), Math.max(...ys)]).toEqual([0, 1]);
      const sorted = ys.toSorted((a, b) => a - b);
      expect([sorted, sorted.toReversed()]).toContainEqual(ys);
    }
    const [good, bad] = scorers;
    expect(good!.points![0]![1]).toBe(0);
    expect(bad!.points![0]![1]).toBe(1);
  });

  test('rise and fall if allowed', async () => {
    const { scorers } = await tune({}, { curves: 5, curved: ['peak'], anyShape: true, only: ['good', 'peak'] });
    const [good, peak] = scorers;
    expect(good!.points).toBeUndefined();
    const ys = peak!.points!.map(([, y]) => y);
    expect(Math.max(...ys.slice(1, -1))).toBe(1);
    expect(Math.max(ys[0]!, ys.at(-1)!)).toBeLessThan(0.7);
  });

  test('give the reported measure when written, and are found again over the same numbers', async () => {
    const { training, change } = await tune({}, { curves: 4 });
    const written = { ...profile, tier2_scorers: mergeById(change.tier2_scorers) };
    const tuned = await createPipeline<Item>(written);
    const { profiles } = await evaluateProfiles({ tuned }, queries, { measures: [MEASURE] });
    expect(profiles[0]!.means[MEASURE]).toBeCloseTo(training.after, 3);
    const again = await tuneWeights(written, queries, { measure: MEASURE, repeats: 1, curves: 4 });
    expect(again.training.before).toBeCloseTo(training.after, 3);
    for (const entry of again.change.tier2_scorers ?? []) {
      if ('params' in entry) expect(entry['params']).not.toHaveProperty('scorer.class', 'CurveScorer');
    }
  });
});

describe('a profile with rules', () => {
  const rules = [
    { id: 'lucky', when: 'candidate.hiss > 0.6', add: 0.4 },
    { id: 'poor', when: 'scores.good < 0.1', multiply: 0.5 },
  ];
  const kept: ProfileInput = { adjustments: rules };
  // Some candidates are refused by the profile, others by the found weights: the last rule divides by 0.
  const ruled: ProfileInput = {
    adjustments: [...rules, { id: 'low', when: 'score < 0.3', add: '1 / int(candidate.hiss)' }],
  };
  const cases: ProfileInput = {
    weights: { by: 'candidate.noise > 0.5 ? "loud" : "quiet"', cases: { loud: { good: 0.1, bad: 3 } } },
  };
  const graded = (relevant: number): JudgedQuery<Item> => ({
    id: 'all',
    candidates: queries.flatMap((query) => query.candidates),
    grades: queries.flatMap((query) => query.grades.map((grade) => ((grade ?? 0) > relevant ? 1 : 0))),
  });

  test.each<readonly [string, ProfileInput, TuneOptions]>([
    ['weights', ruled, {}],
    ['curves', ruled, { curves: 3, curved: ['good', 'bad'] }],
    ['weights next to cases', { ...ruled, ...cases }, {}],
    ['curves next to cases', { ...ruled, ...cases }, { curves: 3, curved: ['good', 'bad'] }],
    ['a case', { ...ruled, ...cases }, { case: 'loud' }],
    ['signed weights', { ...ruled, combine: 'weighted_sum' }, { signed: true }],
    ['weights, by AUC', kept, { measure: 'AUC' }],
    ['curves, by AUC', kept, { measure: 'AUC', curves: 3, curved: ['good', 'bad'] }],
    ['a case, by AUC', { ...kept, ...cases }, { measure: 'AUC', case: 'loud' }],
  ])('is measured with them before and after: %s', async (_name, more, options) => {
    const given = options.measure === 'AUC' ? [graded(1)] : queries;
    const { training, heldOut, change } = await tune(more, options, given);
    const written = { ...profile, ...more, tier2_scorers: mergeById(change.tier2_scorers) };
    const pipelines = {
      before: await createPipeline<Item>({ ...profile, ...more }),
      after: await createPipeline<Item>(
        change.weights ? { ...written, weights: { ...cases.weights!, cases: change.weights.cases } } : written,
      ),
    };
    const measures = [options.measure ?? MEASURE];
    const { profiles } =
      options.measure === 'AUC'
        ? await evaluateLabelled(pipelines, given, { measures }).then((evaluation) => ({
            profiles: evaluation.profiles.map(({ values }) => values['AUC']!),
          }))
        : await evaluateProfiles(pipelines, given, { measures }).then((evaluation) => ({
            profiles: evaluation.profiles.map(({ means }) => means[MEASURE]!),
          }));
    const [before, after] = profiles;
    expect(training.before).toBeCloseTo(before!, 12);
    expect(training.after).toBeCloseTo(after!, 12);
    if (options.measure !== 'AUC') expect(heldOut[0].before).toBeCloseTo(before!, 12);
  });

  test('shows no gain if the rule decides, and neither weights nor curves can change the order', async () => {
    const decided: ProfileInput = { adjustments: [{ id: 'decides', set: 'candidate.hiss' }] };
    for (const options of [{}, { curves: 3 }, { case: 'loud' }]) {
      const { heldOut } = await tune({ ...decided, ...(options.case && cases) }, options);
      expect(heldOut[0]).toMatchObject({ difference: 0, interval: [0, 0], p: 1, verdict: 'no difference shown' });
      expect(heldOut[0].counts).toEqual({ better: 0, worse: 0, same: 50 });
    }
  });
});

describe('params', () => {
  const peaked: ProfileInput = {
    tier2_scorers: [
      { id: 'good', expr: 'candidate.good' },
      { id: 'near', class: 'Near', params: { to: 0.05 } },
    ],
  };
  /** The closeness of `peak` to a number. */
  class Near {
    static readonly meta = defineScorer({ summary: 'Near to a number.', params: z.strictObject({ to: z.number() }) });

    compile({ to }: { readonly to: number }) {
      return ({ peak = 0.5 }: Item): number => 1 - (peak - to) ** 2;
    }
  }
  const options: TuneOptions = { pipeline: { units: { Near } }, params: { 'near.to': [0, 1] }, folds: 2 };

  test('are found within their bounds, and measured like weights', async () => {
    const { params, change, heldOut } = await tune(peaked, options, queries.slice(0, 30));
    expect(params).toMatchObject([{ entry: 'near', param: 'to', before: 0.05 }]);
    expect(Math.abs(params[0]!.value - 0.5)).toBeLessThan(0.15);
    expect(change.tier2_scorers![1]).toMatchObject({ id: 'near', params: { to: params[0]!.value } });
    expect(heldOut[0].after).toBeGreaterThan(heldOut[0].before);
  });

  test.each([
    ['far.to', [0, 1], /no measure or scorer far/],
    ['near', [0, 1], /near is not the name of a param\n {2}the numbers of near are near.to/],
    ['near.to.x', [0, 1], /the profile has no param near.to.x\n {2}the numbers of near are near.to/],
    ['near.to', [1, 0], /bounds of near.to are 1 and 0/],
  ] as const)('rejects %s in %j', async (name, bounds, text) => {
    await expect(tune(peaked, { ...options, params: { [name]: bounds } })).rejects.toThrow(text);
  });
});

describe('params inside of params', () => {
  const now = '2026-01-01';
  const dated: ProfileInput = {
    tier2_scorers: [
      { id: 'good', expr: 'candidate.good' },
      {
        id: 'fresh',
        class: 'DecayScorer',
        params: { field: 'at', null_timestamp_score: 0.5, curve: { type: 'exponential', half_life: '2d' } },
      },
    ],
  };
  // The candidates are 20 days apart: a short half-life gives all of these ages nearly 0.
  const judged = queries.slice(0, 20).map(({ candidates, ...query }) => ({
    ...query,
    context: { now },
    candidates: candidates.map((one, i) => ({ ...one, at: Date.parse(now) - i * 86_400_000 * 20 })),
  }));

  test('are found in the unit of the profile, and written with the other keys', async () => {
    const { params, change } = await tune(dated, { params: { 'fresh.curve.half_life': [1, 90] }, folds: 2 }, judged);
    expect(params).toMatchObject([{ entry: 'fresh', param: 'curve.half_life', before: 2, unit: 'd' }]);
    expect(change.tier2_scorers?.find(({ id }) => id === 'fresh')).toMatchObject({
      params: { curve: { type: 'exponential', half_life: `${params[0]!.value}d` } },
    });
  });

  test.each([
    ['fresh.half_life', /no param fresh.half_life\n {2}did you mean fresh.curve.half_life\?/],
    [
      'fresh.curve.type',
      /fresh.curve.type is not a number[^]*the numbers of fresh are fresh.null_timestamp_score, fresh.curve.half_life/,
    ],
    ['fresh.curve.max_age', /no param fresh.curve.max_age/],
  ])('names the params that can be tuned instead of %s', async (name, text) => {
    await expect(tune(dated, { params: { [name]: [1, 90] }, folds: 2 }, judged)).rejects.toThrow(text);
  });
});

describe('labels without queries', () => {
  const candidates = queries.flatMap((query) => query.candidates);
  const grades = queries.flatMap((query) => query.grades.map((grade) => ((grade ?? 0) > 1 ? 1 : 0)));

  test('are compared by tau if they have more than two grades', async () => {
    const all = { id: 'all', candidates, grades: queries.flatMap((query) => query.grades) };
    const { measure, heldOut } = await tune({}, { measure: undefined, folds: 2 }, [all]);
    expect(measure).toBe('tau');
    expect(heldOut[0].after).toBeGreaterThan(heldOut[0].before);
  });

  test('have an AUC, whose gain is measured with its groups', async () => {
    const groups = candidates.map((_, k) => `g${k % 40}`);
    const { measure, heldOut, shown } = await tune({}, { measure: undefined }, [
      { id: 'all', candidates, grades, candidateGroups: groups },
    ]);
    expect(measure).toBe('AUC');
    expect(heldOut[0]).toMatchObject({ by: 'group', units: 500, verdict: 'better' });
    expect(shown).toBe(true);
  });

  test('warn if folds by one field show a gain that folds by another do not', async () => {
    // In each source a different scorer knows the answer: some sources predict nothing about the next.
    const sources = candidates.map((_, k) => ['good', 'bad'][k % 2]!);
    const by = grades.map((__, k) => (candidates[k]![sources[k] as 'good'] > 0.5 ? 1 : 0));
    const { heldOut, warnings } = await tune({}, { measure: 'AUC', names: { fold: 'source' }, repeats: 1 }, [
      { id: 'all', candidates, grades: by, candidateFolds: sources },
    ]);
    expect(heldOut.map((one) => one.by)).toEqual(['source', 'candidate']);
    expect(warnings.map(({ code }) => code)).toEqual(['ASZ735']);
  });
});

describe('profiles and data that cannot be tuned', () => {
  test.each<readonly [string, ProfileInput, TuneOptions, RegExp]>([
    ['ASZ550', { combine: 'product' }, {}, /does not use weights/],
    ['ASZ551', {}, { only: ['god'] }, /no scorer god[^]*did you mean good/],
    ['ASZ551', {}, { case: 'loud' }, /no case loud/],
    ['ASZ552', {}, { signed: true }, /does not support negative weights/],
    [
      'ASZ553',
      { tier2_scorers: [{ id: 'good', expr: 'candidate.good', weight: '1.0' }] },
      {},
      /no scorer with a tunable weight/,
    ],
    ['ASZ555', { combine: 'geometric_mean' }, { curves: 3 }, /geometric mean[^]*tune without curves/],
    ['ASZ605', {}, { measure: 'nDGC@5' }, /no measure/],
    ['ASZ533', {}, { curves: 9 }, /from 2 to 6/],
  ])('%s', async (code, more, options, text) => {
    const made = tune(more.combine === 'product' ? { ...more } : more, options);
    await expect(made).rejects.toMatchObject({ problems: [{ code }] });
    await expect(made).rejects.toThrow(text);
  });

  test('ASZ554: judgements without information', async () => {
    const same = queries.map((query) => ({ ...query, grades: query.grades.map(() => 1) }));
    await expect(tune({}, {}, same)).rejects.toThrow(/none of the 50 queries/);
    const one = queries.slice(0, 1);
    await expect(tune({}, { measure: 'nDCG@10' }, one)).rejects.toThrow(
      /only one query[^]*to compare all candidates, omit --measure; [^]*--group PATH/,
    );
    const four = [{ id: 'all', candidates: queries[0]!.candidates.slice(0, 4), grades: [1, 0, 1, 0] }];
    await expect(tune({}, { measure: 'AUC' }, four)).rejects.toThrow(
      /no fold by candidate has candidates of both classes/,
    );
    await expect(tune({}, { measure: 'AUC' }, same)).rejects.toThrow(
      /two classes; 500 have a grade of at least 1, 0 a lower one/,
    );
    await expect(tune({ tier1_scorers: [{ id: 'all', expr: 'candidate.good < 2' }] })).rejects.toThrow(
      /refuses every judged candidate/,
    );
  });

  test('reports weights of a case in readable numbers, even with entries that are not tuned', async () => {
    const { scorers } = await tune(
      { weights: { by: '"loud"', cases: { loud: { good: 3 } } } },
      { case: 'loud', repeats: 1, folds: 2 },
    );
    expect(scorers.map(({ id }) => id)).toEqual(['good']);
    expect(scorers[0]!.weight).toBeGreaterThan(1);
    expect(scorers[0]!.weight).toBeLessThan(200);
  });
});

test('a search whose time is over keeps what it has', async () => {
  const steps: ProgressStep[] = [];
  const { stopped, scorers } = await tune({}, { seconds: 1e-6, curves: 5, progress: (step) => void steps.push(step) });
  expect(stopped).toBe(true);
  expect(scorers).toHaveLength(4);
  expect(new Set(steps.map(({ task }) => task))).toEqual(
    new Set(['ranking', 'fitting', 'measuring on held-out data, by query']),
  );
  expect(steps.at(-1)).toEqual({ task: expect.any(String), unit: 'folds', done: 1, total: 1 });
});

/** The profile's entries merged with those of a change, as `extends` merges them. */
function mergeById(
  change: readonly Readonly<Record<string, unknown>>[] = [],
): NonNullable<ProfileInput['tier2_scorers']> {
  return profile.tier2_scorers!.map((entry) => {
    const own = change.find(({ id }) => id === entry.id) ?? {};
    return 'class' in own ? { ...own, id: entry.id } : { ...entry, ...own };
  });
}
