import { describe, expect, test } from 'vitest';
import { compareProfiles, evaluateProfiles, type JudgedQuery, makeReport } from '@assize/evaluate';
import { tuneWeights } from '@assize/evaluate/tune';
import { leadTexts, smallestText } from '../src/report/words.js';
import { createPipeline, type ProfileInput, type ProgressStep } from 'assize';
import { seededRandom } from '../src/significance/distributions.js';

interface Item {
  readonly id: string;
  readonly good: number;
  readonly noise: number;
}

const by = (expr: string, more: ProfileInput = {}) =>
  createPipeline<Item>({ tier2_scorers: [{ id: 'only', expr }], ...more });

/** Queries of ten items, of which better ones are more likely relevant, in this number of groups. */
function queriesOf(count: number, groups = count): readonly JudgedQuery<Item>[] {
  const next = seededRandom(42);
  return Array.from({ length: count }, (_, q) => {
    const candidates = Array.from({ length: 10 }, (__, k) => ({ id: `q${q}-${k}`, good: next(), noise: next() }));
    return {
      id: `q${q}`,
      candidates,
      grades: candidates.map(({ good }) => (next() < good ? 1 : 0)),
      group: `g${q % groups}`,
    };
  });
}

test('measures every query separately, by its judgements', async () => {
  const queries: readonly JudgedQuery<Item>[] = [
    {
      id: 'a',
      candidates: [
        { id: 'x', good: 1, noise: 0 },
        { id: 'y', good: 3, noise: 0 },
        { id: 'z', good: 2, noise: 0 },
      ],
      grades: [1, undefined, 1],
    },
    { id: 'b', candidates: [{ id: 'x', good: 1, noise: 0 }], grades: [1], missing: [1] },
  ];
  const { measures, profiles } = await evaluateProfiles({ good: await by('candidate.good') }, queries, {
    measures: ['rr', 'R', 'P@2', 'MAP'],
  });
  expect(measures).toEqual(['RR', 'R', 'P@2', 'AP']);
  expect(Object.entries(profiles[0]!.values).map(([name, values]) => [name, ...values])).toEqual([
    ['RR', 0.5, 1],
    ['R', 1, 0.5],
    ['P@2', 0.5, 0.5],
    ['AP', (1 / 2 + 2 / 3) / 2, 0.5],
  ]);
  expect(profiles[0]!.means['RR']).toBe(0.75);
});

test('a refused candidate is not found, and scorers that compare see one query only', async () => {
  const scaled = await createPipeline<Item>({
    tier1_scorers: [{ id: 'low', expr: 'candidate.noise > 0.9' }],
    tier2_scorers: [{ id: 'scaled', class: 'ScaledScorer', params: { scorer: { expr: 'candidate.good' } } }],
  });
  const plain = await by('candidate.good', { tier1_scorers: [{ id: 'low', expr: 'candidate.noise > 0.9' }] });
  const { profiles } = await evaluateProfiles({ scaled, plain }, queriesOf(20), { measures: ['nDCG@5', 'R'] });
  expect(profiles[0]!.values).toEqual(profiles[1]!.values);
  expect(profiles[0]!.means['R']).toBeLessThan(1);
});

describe('two profiles', () => {
  test('show a difference if one is better', async () => {
    const pipelines = { noise: await by('candidate.noise'), good: await by('candidate.good') };
    const evaluation = await evaluateProfiles(pipelines, queriesOf(120), { measures: ['nDCG@5', 'AP'] });
    const [ndcg, ap] = compareProfiles(evaluation);
    expect(ndcg).toMatchObject({ profile: 'good', baseline: 'noise', measure: 'nDCG@5', verdict: 'better' });
    expect(ndcg!.better + ndcg!.worse + ndcg!.same).toBe(120);
    expect(ndcg!.interval[0]).toBeGreaterThan(0);
    expect(ap!.adjusted).toBeGreaterThanOrEqual(ap!.p.permutation);
    expect(ndcg!.gained[0]!.difference).toBeGreaterThan(0);
    expect(ndcg!.lost[0]!.difference).toBeLessThan(0);
    expect(compareProfiles(evaluation, { baseline: 'good' })[0]!.verdict).toBe('worse');
    expect(compareProfiles(evaluation)).toEqual(compareProfiles(evaluation));
  });

  test('show no difference if there is none', async () => {
    const pipelines = { one: await by('candidate.good'), two: await by('candidate.good * 2.0') };
    const evaluation = await evaluateProfiles(pipelines, queriesOf(20), { measures: ['nDCG@5'] });
    const [difference] = compareProfiles(evaluation);
    expect(difference).toMatchObject({ mean: 0, interval: [0, 0], same: 20, adjusted: 1 });
    expect(difference!.verdict).toBe('no difference shown');
    expect(difference!.p.permutation).toBeNaN();
  });

  test('with four groups show nothing: the signs of four groups are equal in one of eight cases by chance', async () => {
    const pipelines = { noise: await by('candidate.noise'), good: await by('candidate.good') };
    const evaluation = await evaluateProfiles(pipelines, queriesOf(120, 4), { measures: ['nDCG@5'] });
    const [ndcg] = compareProfiles(evaluation);
    expect(ndcg!.better).toBeGreaterThan(3 * ndcg!.worse);
    expect(ndcg).toMatchObject({ p: { permutation: 2 / 2 ** 4 }, adjusted: 0.125, verdict: 'no difference shown' });
  });

  test('keep the groups of their queries', async () => {
    const pipelines = { noise: await by('candidate.noise'), good: await by('candidate.good') };
    const evaluation = await evaluateProfiles(pipelines, queriesOf(8, 4), { measures: ['nDCG@5'] });
    expect(evaluation.groups).toEqual(['g0', 'g1', 'g2', 'g3', 'g0', 'g1', 'g2', 'g3']);
  });
});

test.each([
  ['another number of grades', [{ id: 'a', candidates: [], grades: [1] }], 'query a has 0 candidates and 1 grades'],
  [
    'an invalid grade',
    [{ id: 'a', candidates: [{ id: 'x', good: 1, noise: 1 }], grades: [Number.NaN] }],
    'query a: a grade is the number NaN; expected a number',
  ],
  [
    'one id twice',
    [
      { id: 'a', candidates: [], grades: [] },
      { id: 'a', candidates: [], grades: [] },
    ],
    'two queries have the id a',
  ],
])('%s is an error', async (_name, queries, message) => {
  const good = await by('candidate.good');
  await expect(evaluateProfiles({ good }, queries, { measures: ['RR'] })).rejects.toThrow(message);
});

test('a query without grades, as JavaScript may pass it, is an error', async () => {
  const good = await by('candidate.good');
  const queries = [{ id: 'a', candidates: [] }];
  // @ts-expect-error -- the type has grades
  const evaluated = evaluateProfiles({ good }, queries, { measures: ['RR'] });
  await expect(evaluated).rejects.toThrow('query a: its grades are nothing; expected a list');
});

test('a baseline that is not among the profiles is an error', async () => {
  const evaluation = await evaluateProfiles({ good: await by('candidate.good') }, queriesOf(2), { measures: ['RR'] });
  expect(() => compareProfiles(evaluation, { baseline: 'god' })).toThrow('did you mean good?');
});

test('progress has a step for each query', async () => {
  const steps: ProgressStep[] = [];
  const good = await by('candidate.good');
  await evaluateProfiles({ good }, queriesOf(2), { measures: ['RR'], progress: (step) => void steps.push(step) });
  const step = { task: 'ranking', unit: 'queries', total: 2 };
  expect(steps).toEqual([
    { ...step, done: 1 },
    { ...step, done: 2 },
  ]);
});

test('can be aborted', async () => {
  const good = await by('candidate.good');
  await expect(
    evaluateProfiles({ good }, queriesOf(2), { measures: ['RR'], signal: AbortSignal.abort(new Error('enough')) }),
  ).rejects.toThrow('enough');
});

describe('judgements of few candidates', () => {
  /** Queries of 100 items; the first profile's top ten are judged, and this number of the other's. */
  const queriesJudged = (others: number): readonly JudgedQuery<Item>[] => {
    const next = seededRandom(8);
    return Array.from({ length: 40 }, (_, q) => {
      const candidates = Array.from({ length: 100 }, (__, k) => ({ id: `q${q}-${k}`, good: 100 - k, noise: k }));
      return {
        id: `q${q}`,
        candidates,
        grades: candidates.map((_one, k) => (k < 10 || k >= 100 - others ? (next() < 0.5 ? 1 : 0) : undefined)),
      };
    });
  };

  test.each([
    [10, 'no difference shown'],
    [3, 'worse'],
    [1, 'too little judged'],
  ])('%d of ten judged: %s', async (others, verdict) => {
    const profiles = { pooled: await by('candidate.good'), other: await by('candidate.noise') };
    const queries = queriesJudged(others);
    const {
      differences,
      profiles: values,
      warnings,
    } = await makeReport(
      profiles,
      { queries, hasQueries: true },
      {
        file: 'pool',
        measures: ['P@10', 'Agreement'],
      },
    );
    expect(values.map(({ values: [first] }) => first?.judged)).toEqual([1, expect.closeTo(others / 10, 12)]);
    expect(differences.map((one) => one.verdict)[0]).toBe(verdict);
    expect(differences.map((one) => one.verdict)[1]).not.toBe('too little judged'); // it reads judged candidates only
    const warned = warnings.filter(({ code }) => code === 'ASZ737').map(({ message }) => message);
    expect(warned).toHaveLength(others < 5 ? 1 : 0);
    if (others < 5)
      expect(warned[0]).toContain(
        `${others}0 % of the first ranks of other are judged, and P@10 counts the rest as bad`,
      );
  });
});

test('relevant candidates that a profile refuses are counted by entry', async () => {
  const queries: readonly JudgedQuery<Item>[] = ['q1', 'q2'].map((id) => ({
    id,
    candidates: [1, 2, 3, 4].map((good) => ({ id: `${id}-${good}`, good, noise: good % 2 })),
    grades: [0, 1, 1, undefined],
  }));
  const profiles = {
    strict: await by('candidate.good', {
      tier1_scorers: [
        { id: 'odd', expr: 'candidate.noise == 1' },
        { id: 'fourth', expr: 'candidate.good == 4' },
      ],
    }),
    open: await by('candidate.good', { tier1_scorers: [{ id: 'first', expr: 'candidate.good == 1' }] }),
  };
  const { warnings } = await makeReport(profiles, { queries, hasQueries: true }, { file: 'f', measures: ['RR'] });
  expect(warnings.filter(({ code }) => code === 'ASZ750').map(({ message }) => message)).toEqual([
    'strict refuses 2 of 4 relevant candidates, and they count as missed: odd 2',
  ]);
});

test('the first sentence needs no knowledge of statistics', async () => {
  const profiles = { noise: await by('candidate.noise'), good: await by('candidate.good') };
  const dataset = { queries: queriesOf(60), hasQueries: true };
  const lead = async (measure: string, reversed = false) => {
    const entries = Object.entries(profiles);
    const named = Object.fromEntries(reversed ? entries.toReversed() : entries);
    return leadTexts(await makeReport(named, dataset, { file: 'f', measures: [measure] }))[0];
  };
  expect(await lead('nDCG@5')).toMatch(
    /^good is better than noise: of 60 queries it is better in \d+, worse in \d+ and the same in \d+\. Chance alone rarely does this\.$/,
  );
  expect(await lead('nDCG@5', true)).toMatch(/^noise is worse than good: /);
  expect(await lead('Agreement')).toMatch(
    /^good puts the better of two first in \d+ more of 100 pairs than noise\. Chance/,
  );
  const same = { one: await by('candidate.noise'), other: await by('candidate.noise * 2.0') };
  const report = await makeReport(same, dataset, { file: 'f', measures: ['RR'] });
  expect(leadTexts(report)).toEqual([
    'other is not shown to differ from one: of 60 queries it is better in 0, worse in 0 and the same in 60. This could be chance.',
  ]);
});

test('the first sentence says when no difference can be shown, and when a verdict is unsafe', async () => {
  const profiles = { noise: await by('candidate.noise'), good: await by('candidate.good') };
  const queries = queriesOf(40).map((query, q) => ({ ...query, group: `g${q % 5}` }));
  const few = await makeReport(profiles, { queries, hasQueries: true }, { file: 'f', measures: ['nDCG@5'] });
  expect(leadTexts(few)[0]).toMatch(
    / With 5 groups this is always so, however large the difference is: at least 6 are needed\.$/,
  );
  expect(smallestText(few)).toBe('');
  const report = await makeReport(
    profiles,
    { queries: queriesOf(60), hasQueries: true },
    { file: 'f', measures: ['RR'] },
  );
  const tunedOn = { code: 'ASZ739', message: 'good is evaluated on the data that it was tuned on' };
  expect(leadTexts({ ...report, warnings: [tunedOn] })[0]).toMatch(
    / Chance alone rarely does this\. But see the warning ASZ739: this verdict may be wrong\.$/,
  );
});

test('warns of what a profile reads and queries lack, once for all queries', async () => {
  const pipeline = await createPipeline<object>({
    tier2_scorers: [
      { id: 'words', class: 'BM25Scorer', params: { fields: 'text', query: 'query' } },
      { id: 'few', expr: 'candidate.few' },
      { id: 'none', expr: 'candidate.none * context.user.age' },
    ],
  });
  const queries = ['a', 'b', 'c', 'd'].map((id, q) => ({
    id,
    context: { qurey: 'lamp', ...(q > 0 && { user: { age: 3 } }) },
    candidates: [
      { id: 'x', text: 'a lamp', ...(q === 0 && { few: 1 }) },
      { id: 'y', text: 'a desk' },
    ],
    grades: [1, 0],
  }));
  const dataset = { queries, hasQueries: true };
  const { warnings } = await makeReport({ one: pipeline, two: pipeline }, dataset, { file: 'f', samples: 20 });
  const expected = [
    ['ASZ712', 'none: no candidate has none', undefined],
    ['ASZ723', 'words: the context has no query', 'did you mean qurey?'],
    ['ASZ723', 'none: the context has no user.age (in 1 of 4 queries)', expect.stringContaining('orValue')],
  ];
  const found = warnings.filter(({ code }) => /ASZ71|ASZ72/.test(code));
  expect(found.map(({ code, message, hint }) => [code, message, hint])).toEqual(expected);
  const tuning = await tuneWeights(pipeline, queries, { folds: 2, repeats: 1 });
  expect(tuning.warnings.map(({ message }) => message)).toContain('words: the context has no query');
});
