import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  compareProfiles,
  evaluateProfiles,
  type JudgedQuery,
  measureRun,
  MEASURES,
  parseMeasure,
  readRun,
  writeRun,
} from '@assize/evaluate';
import { drawnOrder } from '../src/evaluate-profiles.js';
import { seededRandom } from '../src/significance/distributions.js';
import { createPipeline } from 'assize';
import { tuneWeights } from '@assize/evaluate/tune';

type Grades = readonly (number | undefined)[];

/** Every order of a list. */
function* orders<T>(list: readonly T[]): Generator<readonly T[]> {
  if (list.length === 0) yield [];
  for (const [k, one] of list.entries()) {
    for (const rest of orders(list.toSpliced(k, 1))) yield [one, ...rest];
  }
}

/** Every order of a ranking that permutes only tied ranks. */
function* ordersOf(groups: readonly Grades[]): Generator<Grades> {
  const [first, ...rest] = groups;
  if (!first) {
    yield [];
    return;
  }
  for (const own of orders(first)) for (const others of ordersOf(rest)) yield [...own, ...others];
}

const grade = fc.option(fc.integer({ min: -1, max: 3 }), { nil: undefined });
const groups = fc.array(fc.array(grade, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 });

// A pair of tied candidates counts half in Agreement, which is also the mean over their orders, without a cut.
describe('a measure of tied ranks is its mean over all their orders', () => {
  const cuts = (name: string): readonly string[] => (name === 'Agreement' ? [name] : [name, `${name}@1`, `${name}@3`]);
  test.each(Object.keys(MEASURES).flatMap(cuts))('%s', (name) => {
    const { of } = parseMeasure(name);
    fc.assert(
      fc.property(groups, fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 2 }), (tied, missed) => {
        const grades = tied.flat();
        const judgements = [...grades.filter((one) => one !== undefined), ...missed];
        const values = Array.from(ordersOf(tied), (one) => of({ grades: one, judgements }));
        const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
        expect(of({ grades, judgements, ties: tied.map(({ length }) => length) })).toBeCloseTo(mean, 10);
      }),
      { numRuns: 60 },
    );
  });
});

interface Item {
  readonly id: string;
  readonly x: number;
}

/** Queries with their candidates in the file by grade, best first. */
function sortedByLabel(count: number): readonly JudgedQuery<Item>[] {
  const random = seededRandom(3);
  return Array.from({ length: count }, (_, q) => ({
    id: `q${q}`,
    candidates: Array.from({ length: 10 }, (__, k) => ({ id: `q${q}d${k}`, x: random() })),
    grades: [2, 1, 1, 0, 0, 0, 0, 0, 0, 0],
  }));
}

const by = (expr: string, select: object = {}) =>
  createPipeline<Item>({ tier2_scorers: [{ id: 'only', expr }], select });

describe('the order of the file', () => {
  test('does not help a profile that scores all candidates equally', async () => {
    const queries = sortedByLabel(60);
    const evaluation = await evaluateProfiles({ noise: await by('candidate.x'), constant: await by('0.5') }, queries, {
      measures: ['nDCG@10', 'RR', 'P@3', 'Agreement'],
    });
    const [, constant] = evaluation.profiles;
    const random = (name: string): number => {
      const { of } = parseMeasure(name);
      const { grades } = queries[0]!;
      return of({ grades, judgements: grades.map((one) => one ?? 0), ties: [10] });
    };
    for (const name of evaluation.measures) expect(constant!.means[name]).toBeCloseTo(random(name), 12);
    expect(constant!.means['nDCG@10']).toBeLessThan(0.6);
    expect(constant!.means['Agreement']).toBe(0.5);
    expect(constant!.tied?.['nDCG@10']).toBe(60);
    for (const { verdict } of compareProfiles(evaluation)) expect(verdict).not.toBe('better');
  });

  test('is not an order by score, but the ties of the profile are one', async () => {
    const items = [3, 1, 2].map((x) => ({ id: `d${x}`, x }));
    const sizes = async (select: object) => [...(await (await by('1', select)).rank(items)).tieSizes];
    expect(await sizes({})).toEqual([3]);
    expect(await sizes({ ties: ['candidate.x'] })).toEqual([1, 1, 1]);
    expect(await sizes({ ties: ['candidate.x > 1'] })).toEqual([1, 2]);
  });

  // Sparse features tie most candidates of a query, and a search could win by tying more of them.
  test('does not help tuning: on noise with sparse features no gain is shown', async () => {
    const profile = {
      tier2_scorers: ['a', 'b', 'c', 'd'].map((id) => ({ id, expr: `candidate.${id}` })),
      combine: 'weighted_sum' as const,
    };
    const verdicts = [];
    for (let seed = 1; seed <= 4; seed++) {
      const random = seededRandom(seed);
      const sparse = (): number => (random() < 0.08 ? random() : 0);
      const queries = Array.from({ length: 25 }, (_, q) => ({
        id: `q${q}`,
        candidates: Array.from({ length: 12 }, () => ({ a: sparse(), b: sparse(), c: sparse(), d: sparse() })),
        grades: [1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0],
      }));
      // oxlint-disable-next-line no-await-in-loop -- arithmetic
      const { heldOut } = await tuneWeights(profile, queries, { measure: 'nDCG@10', repeats: 1, seed });
      verdicts.push(heldOut[0].verdict);
    }
    expect(verdicts.filter((verdict) => verdict === 'better')).toEqual([]);
  });
});

describe('a written run', () => {
  const sparse = createPipeline<Item>({ tier2_scorers: [{ id: 'only', expr: 'candidate.x > 0.7 ? 0.3 : 0.1' }] });

  test('has the reported measures if trec_eval reads it', async () => {
    const queries = sortedByLabel(40);
    const names = ['nDCG@10', 'nDCG', 'AP', 'RR', 'P@5', 'Success@2', 'Bpref', 'Rprec'];
    const rows = new Map<string, readonly { readonly id: string; readonly score: number }[]>();
    const pipeline = await sparse;
    for (const seed of [1, 2]) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      const { profiles } = await evaluateProfiles({ sparse: pipeline }, queries, {
        measures: names,
        ties: { seed },
        onRanking: (_profile, query, ranking) => rows.set(query, drawnOrder(ranking, seed, query)),
      });
      const run = readRun([...writeRun(rows, 'sparse')].join('\n'), 'sparse.run');
      const qrels = new Map(
        queries.map(({ id, candidates, grades }) => [id, new Map(candidates.map((one, k) => [one.id, grades[k]!]))]),
      );
      const asked = names.map((name) => parseMeasure(name));
      const measured = measureRun(run, qrels, asked);
      for (const name of names) expect(measured.means[name]).toBeCloseTo(profiles[0]!.means[name]!, 12);
    }
  });

  test('keeps its order for any scores', () => {
    const score = fc.oneof(
      fc.double({ noNaN: true }),
      fc.constantFrom(0, -0, 1, 1 + 1e-12, 0.1, -1, Number.MIN_VALUE, 1e300),
    );
    fc.assert(
      fc.property(fc.array(score, { maxLength: 12 }), (scores) => {
        const rows = scores.map((one, k) => ({ id: `d${k}`, score: one }));
        const run = readRun([...writeRun([['q', rows]], 'tag')].join('\n'), 'any.run');
        expect(run.get('q') ?? []).toEqual(rows.map(({ id }) => id));
      }),
      { numRuns: 500 },
    );
  });

  test('has the scores themselves if they descend', () => {
    const rows = [
      { id: 'a', score: 0.3 },
      { id: 'b', score: 0.1 },
      { id: 'c', score: 0.1 },
    ];
    const scores = [...writeRun([['q', rows]], 'tag')].map((line) => Number(line.split(' ')[4]));
    expect(scores.slice(0, 2)).toEqual([0.3, 0.1]);
    expect(scores[2]).toBeCloseTo(0.1, 6);
  });

  test('breaks ties equally in every profile, and the mean over seeds is the expected value', async () => {
    const queries = sortedByLabel(1);
    const ranking = await (await by('1')).rank(queries[0]!.candidates);
    const other = await (await by('2')).rank(queries[0]!.candidates);
    const ids = (seed: number, one: typeof ranking) => drawnOrder(one, seed, 'q').map(({ id }) => id);
    expect(ids(7, ranking)).toEqual(ids(7, other));
    const { of } = parseMeasure('nDCG@5');
    const grades = queries[0]!.grades;
    const judgements = grades.map((one) => one ?? 0);
    let sum = 0;
    for (let seed = 0; seed < 2000; seed++)
      sum += of({ grades: drawnOrder(ranking, seed, 'q').map(({ index }) => grades[index]), judgements });
    expect(sum / 2000).toBeCloseTo(of({ grades, judgements, ties: [10] }), 1);
  });
});
