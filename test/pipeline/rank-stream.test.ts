import { setImmediate as tick } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  AssizeError,
  createPipeline,
  type Degraded,
  type PlanOverrides,
  type ProfileInput,
  type Ranking,
  type Refused,
  scorer,
  type TopRanking,
} from 'assize';
import { defineScorer, type Run, type Score, z } from 'assize/sdk';

interface Repo {
  readonly id?: string;
  readonly stars?: number;
  readonly forks?: number | string;
  readonly archived?: boolean;
  readonly keep?: boolean;
  readonly cost?: number;
}

/** Scores each candidate alone, and has to be prepared. */
class Prepared {
  static readonly meta = defineScorer({ summary: 'Prepares.', scope: 'candidate', params: z.strictObject({}) });
  prepare(_params: object, { candidates }: Run<Repo>): Score<Repo> {
    const column = candidates.map(({ forks = 0 }) => Number(forks) / 4);
    return (_candidate, index) => column[index];
  }
}

/** Leaves its range. */
class Near {
  static readonly meta = defineScorer({ summary: 'Leaves its range.', range: [0, 1], params: z.strictObject({}) });
  compile(): Score<Repo> {
    return ({ stars }) => (stars === 4 ? Number.NaN : stars);
  }
}

const base: ProfileInput = {
  name: 'repos',
  tier1_scorers: [
    { id: 'archived', expr: 'candidate.archived' },
    { id: 'odd', expr: 'candidate.forks > 2', on_error: 'pass' },
  ],
  tier2_scorers: [
    { id: 'stars', expr: 'candidate.stars / 3', on_absent: 'refuse' },
    { id: 'forks', expr: 'candidate.forks', on_error: 0.5 }, // failures may be kept
    { id: 'rare', expr: 'candidate.raer', weight: 2 },
  ],
};

const PROFILES: Readonly<Record<string, ProfileInput>> = {
  plain: base,
  'with everything before select': {
    ...base,
    candidate: { pinned: 'candidate.?keep.orValue(false)' },
    veto_on_first: false,
    measures: [{ id: 'half', expr: 'candidate.stars / 2' }],
    signals: [{ id: 'one', class: 'ExpressionSignal', params: { value: '1 + 1' } }],
    tier2_scorers: [
      ...(base.tier2_scorers ?? []),
      { id: 'prepared', class: 'Prepared', on_error: 'skip' },
      { id: 'halves', expr: 'measures.half + signals.one' },
    ],
    adjustments: [
      { id: 'third', when: 'candidate.stars == 3', add: 1 },
      { id: 'zero', multiply: { table: { '0': 0 }, by: ['string(int(candidate.stars))'], missing: 1, zero: 'refuse' } },
      { id: 'few', when: 'scores.halves < 1', refuse: true },
    ],
  },
  'with ties and a least score': {
    ...base,
    select: {
      top: 5,
      min_score: 0.4,
      ties: ['candidate.forks', 'candidate.?id.orValue("")', 'input', 'candidate.stars'],
    },
  },
  'with scores that stand for others': {
    ...base,
    tier2_scorers: [
      { id: 'stars', expr: 'candidate.stars', on_absent: 2, on_error: 'skip' },
      { id: 'forks', expr: 'candidate.forks', on_absent: 1, on_error: 1 },
      { id: 'near', class: 'Near', on_absent: 0.5, out_of_range: 'clamp' },
      { id: 'far', class: 'Near', on_absent: 0, out_of_range: 'warn' },
    ],
  },
  'with a formula': {
    ...base,
    tier2_scorers: (base.tier2_scorers ?? []).slice(0, 2),
    combine: { formula: 'stars + 2 * forks' },
  },
  'with a budget': {
    ...base,
    plugins: ['cupel'],
    candidate: { pinned: 'candidate.?keep.orValue(false)' },
    select: {
      top: 6,
      min_score: 0.1,
      pack: { cost: 'candidate.cost', budget: 6, overflow: 'proceed', class: 'GreedyPack' },
      place: { class: 'UShaped' },
    },
  },
};

const repo: fc.Arbitrary<Repo> = fc.record(
  {
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    stars: fc.oneof(fc.integer({ min: 0, max: 4 }), fc.constant('many' as unknown as number)),
    forks: fc.oneof({ weight: 8, arbitrary: fc.integer({ min: 0, max: 3 }) }, fc.constant('few')),
    archived: fc.boolean(),
    keep: fc.constantFrom(false, false, false, true),
    cost: fc.integer({ min: 0, max: 3 }),
  },
  { requiredKeys: ['cost'] },
);

/** Collects garbage now. */
function collect(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

async function* later<T>(items: readonly T[], every: number): AsyncGenerator<T> {
  for (const [i, item] of items.entries()) {
    if (i % every === 0) await tick();
    yield item;
  }
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const byEntry = (all: readonly Degraded[]): unknown =>
  all.toSorted((a, b) => (`${a.stage} ${a.entry}` < `${b.stage} ${b.entry}` ? -1 : 1));

/** Everything that a ranking of all candidates reports about the refused ones. */
function refusedOf(refused: readonly Refused<unknown>[]): unknown {
  const groups = new Map<string, Refused<unknown>[]>();
  for (const row of refused) {
    const key = `${row.by} ${row.kind}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()].map((rows) => ({
    by: rows[0]?.by,
    kind: rows[0]?.kind,
    count: rows.length,
    examples: rows.slice(0, 3).map(({ id, index, reason }) => ({ id, index, reason })),
  }));
}

function leftOf(ranking: Ranking<Repo>): unknown {
  const counts = new Map<string, number>();
  for (const { reason } of ranking.notSelected) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return Object.fromEntries(counts);
}

function expectSame(found: TopRanking<Repo>, ranking: Ranking<Repo>, given: number): void {
  expect(plain(found.selected)).toEqual(plain(ranking.selected));
  expect(found.counts).toEqual({
    given,
    ranked: ranking.ranked.length,
    selected: ranking.selected.length,
    notSelected: ranking.notSelected.length,
    refused: ranking.refused.length,
  });
  expect(found.refusedCounts).toEqual(refusedOf(ranking.refused));
  expect(Object.fromEntries(found.notSelectedCounts.map(({ reason, count }) => [reason, count]))).toEqual(
    leftOf(ranking),
  );
  expect(found.budget).toEqual(ranking.budget);
  expect(byEntry(found.degraded)).toEqual(byEntry(ranking.degraded));
  expect(plain(notOfIds(found))).toEqual(plain(notOfIds(ranking)));
}

/** A stream knows only the ids of candidates that may be selected. */
const notOfIds = ({ warnings }: Pick<Ranking<Repo>, 'warnings'>) =>
  warnings
    .filter(({ code }) => code !== 'ASZ711')
    .map((one) => ({ ...one, message: one.message.replace(/ \(@\d+\)/g, '') }));

const overrides: fc.Arbitrary<PlanOverrides> = fc.record(
  {
    top: fc.integer({ min: 0, max: 12 }),
    offset: fc.integer({ min: 0, max: 5 }),
    minScore: fc.constantFrom(0, 0.5, 1),
    weights: fc.dictionary(fc.constantFrom('stars', 'forks'), fc.integer({ min: 0, max: 3 })),
  },
  { requiredKeys: ['top'] },
);

describe('rankStream', () => {
  test.each(Object.entries(PROFILES))('equals a ranking of all candidates, %s', async (_, profile) => {
    const pipeline = await createPipeline<Repo>(profile, { units: { Prepared, Near } });
    await fc.assert(
      fc.asyncProperty(
        fc.array(repo, { maxLength: 40, size: 'max' }),
        overrides,
        fc.integer({ min: 0, max: 9 }),
        async (candidates, said, every) => {
          const source = every === 0 ? candidates : later(candidates, every);
          const [stream, whole] = await Promise.allSettled([
            pipeline.rankStream(source, { now: 0 }, said),
            pipeline.rank(candidates, { now: 0 }, said),
          ]);
          // Pinned candidates may exceed the budget; packed selections have no pages.
          if (stream.status === 'rejected' || whole.status === 'rejected') {
            expect(stream).toEqual(whole);
            return;
          }
          const [found, ranking] = [stream.value, whole.value];
          expectSame(found, ranking, candidates.length);
          for (const { index } of found.selected) {
            const { sameId: _sameId, ...explanation } = ranking.explain({ index });
            expect(found.explain({ index })).toEqual(explanation);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test.each([true, false])('calls a scorer once per candidate (generated code: %s)', async (codegen) => {
    let asked = 0;
    const counted = scorer<Repo>(({ stars }) => {
      asked += 1;
      return stars;
    });
    const profile: ProfileInput = { tier2_scorers: [{ id: 'stars', class: 'Counted' }], select: { top: 2 } };
    const pipeline = await createPipeline<Repo>(profile, { units: { Counted: counted }, codegen });
    const candidates = Array.from({ length: 3000 }, (_, stars) => ({ stars }));
    const { selected, warnings } = await pipeline.rankStream(candidates);
    expect(selected.map(({ score }) => score)).toEqual([2999, 2998]);
    expect(warnings).toEqual([]);
    // Those that may be selected are ranked again at the end, as a separate set.
    expect(asked).toBeLessThan(candidates.length + 10);
  });

  test.each([0, 1, 1023, 1024, 1025])('counts each of %d, at once or in parts', async (count) => {
    const pipeline = await createPipeline<Repo>({ tier2_scorers: [{ id: 'stars', expr: 'candidate.stars' }] });
    const candidates = Array.from({ length: count }, (_, stars) => ({ stars }));
    for (const source of [candidates, later(candidates, 512)]) {
      const { counts, selected } = await pipeline.rankStream(source, {}, { top: 1 });
      expect(counts.given).toBe(count);
      expect(selected.map(({ index }) => index)).toEqual(count === 0 ? [] : [count - 1]);
    }
  });

  test('has the numbers of kept candidates, and the count of all', async () => {
    const pipeline = await createPipeline<Repo>({ tier2_scorers: [{ id: 'stars', expr: 'candidate.stars' }] });
    const candidates = Array.from({ length: 3000 }, (_, i) => ({ stars: (i * 7) % 3000 }));
    const found = await pipeline.rankStream(candidates, {}, { top: 2 });
    const { matrix, selected } = found;
    expect(selected.map(({ id, score }) => [id, score])).toEqual([
      ['@857', 2999],
      ['@1714', 2998],
    ]);
    expect([...matrix.index]).toEqual([857, 1714]);
    expect([...matrix.column('stars').values]).toEqual([2999, 2998]);
    expect(found.extent()).toEqual({ maxMagnitude: 2999, integersOnly: true });
  });

  test('warns about a duplicate id among candidates that may be selected', async () => {
    const pipeline = await createPipeline<Repo>({ tier2_scorers: [{ id: 'stars', expr: 'candidate.stars' }] });
    const candidates = ['a', 'b', 'c', 'c', 'b', 'b', 'd', 'd'].map((id, stars) => ({ id, stars }));
    const { warnings } = await pipeline.rankStream(candidates, {}, { top: 5 });
    expect(warnings.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'ASZ711 2 of those that may be selected have the id b: @4, @5',
      'ASZ711 2 of those that may be selected have the id d: @6, @7',
    ]);
  });

  test('keeps only candidates that may be selected', async () => {
    const pipeline = await createPipeline<Repo>({ tier2_scorers: [{ id: 'stars', expr: 'candidate.stars' }] });
    const alive: WeakRef<Repo>[] = [];
    function* many(): Generator<Repo> {
      for (let i = 0; i < 40_000; i++) {
        const one = { stars: i % 1000 };
        alive.push(new WeakRef(one));
        yield one;
      }
    }
    const found = await pipeline.rankStream(many(), {}, { top: 3 });
    expect(found.counts).toMatchObject({ given: 40_000, selected: 3, notSelected: 39_997 });
    expect(found.selected.map(({ index }) => index)).toEqual([999, 1999, 2999]);
    await tick(); // a reference keeps its target until then
    collect();
    // The selected ones, the last part, and the first candidates, which are searched for hints.
    expect(alive.filter((one) => one.deref()).length).toBeLessThanOrEqual(3 + 1024 + 100);
  });

  test('explains selected candidates, and reports that it cannot explain others', async () => {
    const pipeline = await createPipeline<Repo>(base);
    const found = await pipeline.rankStream(
      [
        { id: 'a', stars: 1 },
        { id: 'b', stars: 3 },
      ],
      {},
      { top: 1 },
    );
    expect(found.explain('b').outcome).toMatchObject({ kind: 'ranked', rank: 1, of: 2, selected: 'score' });
    expect(found.explain('b').text).toMatch(/1st of 2, selected$/);
    expect(() => found.explain('a')).toThrow('no selected candidate has the id a');
    expect(() => found.explain({ index: 7 })).toThrow('no selected candidate has the index 7');
  });

  test('is rejected with every obstacle, each with its place', async () => {
    const pipeline = await createPipeline<Repo>({
      name: 'all_of_it',
      tier2_scorers: [
        { id: 'stars', expr: 'candidate.stars' },
        { id: 'scaled', class: 'ScaledScorer', params: { scorer: { expr: 'candidate.stars' } } },
        { id: 'novelty', class: 'NoveltyScorer', params: { vector: 'vector' } },
      ],
      strategies: [{ id: 'ask' }],
      select: { duplicates: 'candidate.id' },
      fallback: [{ use: 'ask' }],
      report: [{ id: 'others', class: 'Alternatives' }],
    });
    const error = await pipeline.rankStream([]).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AssizeError);
    expect((error as AssizeError).problems.map(({ code, path, message }) => `${code} ${path} ${message}`)).toEqual([
      'ASZ518 tier2_scorers[1] profile all_of_it cannot rank a stream: scaled needs all candidates at once',
      'ASZ518 tier2_scorers[2] profile all_of_it cannot rank a stream: novelty has a memory of earlier candidates',
      'ASZ518 select.duplicates profile all_of_it cannot rank a stream: removing duplicates needs every score',
      'ASZ518 fallback profile all_of_it cannot rank a stream: a fallback may select any candidate',
      'ASZ518 report profile all_of_it cannot rank a stream: a report needs the whole ranking',
      'ASZ518 select profile all_of_it cannot rank a stream: it selects every scored candidate',
    ]);
  });

  test('is rejected if a rerank needs the best first', async () => {
    const pipeline = await createPipeline<Repo>({
      tier2_scorers: [
        { id: 'stars', expr: 'candidate.stars' },
        { id: 'forks', expr: 'candidate.forks' },
      ],
      rerank: { top: 2, ask: ['forks'] },
    });
    await expect(pipeline.rankStream([], {}, { top: 1 })).rejects.toThrow('forks needs all candidates at once');
  });

  test('needs a limit, in the profile or with the call', async () => {
    const pipeline = await createPipeline<Repo>({
      plugins: ['cupel'],
      tier2_scorers: [{ id: 'stars', expr: 'candidate.stars' }],
      select: { place: { class: 'UShaped' } },
    });
    await expect(pipeline.rankStream([])).rejects.toThrow('it selects every scored candidate');
    const placed = [1, 4, 3, 2].map((stars) => ({ id: `s${stars}`, stars }));
    const { selected } = await pipeline.rankStream(placed, {}, { top: 3 });
    expect(plain(selected)).toEqual(plain((await pipeline.rank(placed, {}, { top: 3 })).selected));
  });

  test.each([-1, 1.5, Number.NaN])('needs a whole number as its top, not %d', async (top) => {
    const pipeline = await createPipeline<Repo>(base);
    await expect(pipeline.rankStream([], {}, { top })).rejects.toThrow('expected a whole number of at least 0');
  });

  test('fails if a tie cannot be evaluated, even among candidates that are not selected', async () => {
    const pipeline = await createPipeline<Repo>({
      tier2_scorers: [{ id: 'stars', expr: 'candidate.stars' }],
      select: { top: 1, ties: ['candidate.forks + 1'] },
    });
    const candidates = [{ stars: 2, forks: 1 }, { stars: 1, forks: 'none' } as unknown as Repo];
    const said = 'the select entry ties[0] failed';
    await expect(pipeline.rank(candidates)).rejects.toThrow(said);
    await expect(pipeline.rankStream(candidates)).rejects.toThrow(said);
  });

  test('stops on abort', async () => {
    const pipeline = await createPipeline<Repo>(base);
    const controller = new AbortController();
    async function* waiting(): AsyncGenerator<Repo> {
      yield { stars: 1 };
      await new Promise(() => {});
    }
    const found = pipeline.rankStream(waiting(), {}, { top: 1, signal: controller.signal });
    await tick();
    controller.abort(new Error('enough'));
    await expect(found).rejects.toThrow('enough');
  });

  test.each(['a list', 'an async list'])('stops on abort even if it never waits: %s', async (kind) => {
    const pipeline = await createPipeline<Repo>(base);
    const controller = new AbortController();
    const MANY = 100_000_000; // all of them would take a minute
    let read = 0;
    function* many(): Generator<Repo> {
      for (; read < MANY; read++) yield { stars: 1 };
    }
    async function* manyLater(): AsyncGenerator<Repo> {
      yield* many();
    }
    setImmediate(() => controller.abort(new Error('enough')));
    const source = kind === 'a list' ? many() : manyLater();
    await expect(pipeline.rankStream(source, {}, { top: 1, signal: controller.signal })).rejects.toThrow('enough');
    expect(read).toBeLessThan(MANY);
  });

  test.each([
    [null, 'null'],
    [undefined, 'nothing'],
    [{ id: 'a' }, 'a map'],
    ['repos.json', 'the string "repos.json"'],
  ])('accepts iterables, and not %j', async (given, found) => {
    const pipeline = await createPipeline<Repo>(base);
    const said = `the candidates are ${found}; expected a list, or an iterable, of objects`;
    const source = given as unknown as Repo[];
    await expect(pipeline.rankStream(source, {}, { top: 1 })).rejects.toThrow(said);
    await expect(pipeline.scoreStream(source)[Symbol.asyncIterator]().next()).rejects.toThrow(said);
  });
});
