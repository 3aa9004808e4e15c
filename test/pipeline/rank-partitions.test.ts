import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { columns, createPipeline, type GroupKey, type Partition, type ProfileInput } from 'assize';
import { defineScorer, type Run, type Score, z } from 'assize/sdk';
import { GroupKeys } from '../../src/data/group-keys.js';

interface Offer {
  readonly id?: string | undefined;
  readonly q?: unknown;
  readonly a?: number | null | undefined;
  readonly at?: Date | null | undefined;
  readonly tag?: string | undefined;
  readonly v?: readonly number[];
}

/** Scores each candidate by its distance from the mean of all. */
class Distance {
  static readonly meta = defineScorer({ summary: 'Compares all.', scope: 'set', params: z.strictObject({}) });
  async prepare(_params: object, { candidates }: Run<Offer>): Promise<Score<Offer>> {
    const mean = candidates.reduce((sum, { a }) => sum + (a ?? 0), 0) / candidates.length;
    return ({ a }) => (a == null ? undefined : a - mean);
  }
}

const now = Date.UTC(2026, 0, 1);
const LIMIT = { top: 3 };

const PROFILES: Readonly<Record<string, ProfileInput>> = {
  'a fused loop': {
    tier1_scorers: [{ id: 'old', expr: "candidate.at < timestamp('2020-01-01T00:00:00Z')" }],
    tier2_scorers: [
      { id: 'a', expr: 'candidate.a', weight: 2 },
      { id: 'wanted', expr: 'candidate.tag == context.tag ? 1 : 0' },
    ],
  },
  'relative scores': {
    tier2_scorers: [{ id: 'a', class: 'ScaledScorer', params: { scorer: { expr: 'candidate.a' } } }],
    select: { per: { by: 'candidate.tag', top: 1 } },
  },
  'an async class': { tier2_scorers: [{ id: 'distance', class: 'Distance' }] },
  'a budget': {
    tier2_scorers: [{ id: 'a', expr: 'candidate.a' }],
    select: { pack: { cost: 'candidate.a', budget: 7 } },
  },
  'random ties': { tier2_scorers: [{ id: 'one', expr: '1' }], select: { seed: 7 } },
};

const offers = (key: fc.Arbitrary<GroupKey | undefined>): fc.Arbitrary<Offer[][]> => {
  const offer = fc.record(
    {
      id: fc.constantFrom('x', 'y', 'ä', '🙂', ''),
      a: fc.option(fc.integer({ min: 0, max: 4 })),
      at: fc.option(fc.constantFrom(new Date(0), new Date(now))),
      tag: fc.constantFrom('red', 'grün'),
    },
    { requiredKeys: [] },
  );
  const group = fc.tuple(key, fc.array(offer, { minLength: 1, maxLength: 9 }));
  return fc
    .uniqueArray(group, { selector: ([name]) => label(name), maxLength: 12 })
    .map((groups) => groups.map(([q, rows]) => rows.map((row) => (q === undefined ? row : { ...row, q }))));
};

/** Equal for the keys of one group. */
const label = (key: GroupKey | undefined): string =>
  key instanceof Date ? `date ${key.getTime()}` : `${typeof (key ?? null)} ${String(key ?? null)}`;

const texts = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 4 }), fc.constantFrom('1', 'null', 'NaN', 'true', ''));
const keys = fc.oneof(
  texts,
  fc.integer({ min: -2, max: 2 }),
  fc.constantFrom<GroupKey | undefined>(undefined, null, Number.NaN, 0.5, Infinity, true, false, 1n),
  fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(5) }),
);

async function collect<T>(partitions: AsyncIterable<Partition<T>>): Promise<readonly Partition<T>[]> {
  const all: Partition<T>[] = [];
  for await (const partition of partitions) all.push(partition);
  return all;
}

/** Everything that a ranking says about its rows. */
const facts = ({ ranking }: Pick<Partition<Offer>, 'ranking'>) => ({
  counts: ranking.counts,
  selected: ranking.selected.map(({ id, index, rank, score, because }) => ({ id, index, rank, score, because })),
  notSelected: ranking.notSelected.map(({ id, index, reason, text }) => ({ id, index, reason, text })),
  refused: ranking.refused.map(({ id, index, by, reason }) => ({ id, index, by, reason })),
  explanations: Array.from({ length: ranking.counts.given }, (_, index) => ranking.explain({ index })),
});

async function* slowly<T>(rows: readonly T[]): AsyncGenerator<T> {
  for (const [k, row] of rows.entries()) {
    if (k % 3 === 0) await Promise.resolve();
    yield row;
  }
}

function* lazily<T>(rows: readonly T[]): Generator<T> {
  yield* rows;
}

describe('rankPartitions equals a ranking of each group', () => {
  test.each(Object.entries(PROFILES))('for %s', async (_, profile) => {
    const pipeline = await createPipeline<Offer>(profile, { units: { Distance } });
    const contextOf = ({ tag = 'red' }: Offer) => ({ now, tag });
    await fc.assert(
      fc.asyncProperty(
        offers(keys),
        fc.constantFrom(slowly, lazily, (rows: readonly Offer[]) => rows),
        async (groups, source) => {
          const options = { by: 'q', ...LIMIT };
          const partitions = await collect(pipeline.rankPartitions(source(groups.flat()), contextOf, options));
          expect(partitions.map(({ group }) => label(group))).toEqual(
            groups.map(([first]) => label(first?.q as GroupKey | undefined)),
          );
          let from = 0;
          for (const [k, rows] of groups.entries()) {
            const ranking = await pipeline.rank(rows, contextOf(rows[0]!), LIMIT);
            expect(partitions[k]!.from).toBe(from);
            expect(facts(partitions[k]!)).toEqual(facts({ ranking }));
            from += rows.length;
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test('for columns, also for a group that is longer than a chunk', async () => {
    const pipeline = await createPipeline<Offer>(PROFILES['a fused loop']!);
    const sizes = [1, 63, 64, 20_000, 2];
    const rows = sizes.flatMap((size, q) =>
      Array.from(
        { length: size },
        (_, k): Offer => ({ id: `c${k}`, q: `g${q}`, a: (k * 7) % 101, at: new Date(now), tag: 'red' }),
      ),
    );
    const table = columns({
      id: rows.map(({ id }) => id!),
      q: {
        dictionary: sizes.map((_, q) => `g${q}`),
        codes: Uint8Array.from(rows, ({ q }) => Number(String(q).slice(1))),
      },
      a: Float64Array.from(rows, ({ a }) => a!),
      at: { dates: Float64Array.from(rows, ({ at }) => at!.getTime()) },
      tag: rows.map(() => 'red'),
    });
    const context = { now, tag: 'red' };
    const options = { by: 'q', ...LIMIT };
    const byObjects = await collect(pipeline.rankPartitions(rows, context, options));
    for (const source of [table, lazily(table)]) {
      const byColumns = await collect(pipeline.rankPartitions(source, context, options));
      expect(byColumns.map(({ group, from }) => [group, from])).toEqual(
        byObjects.map(({ group, from }) => [group, from]),
      );
      for (const [k, { ranking }] of byColumns.entries()) {
        expect(ranking.selected.map(({ id, score }) => [id, score])).toEqual(
          byObjects[k]!.ranking.selected.map(({ id, score }) => [id, score]),
        );
        expect(ranking.explain({ index: 0 })).toEqual(byObjects[k]!.ranking.explain({ index: 0 }));
      }
    }
  });

  test('with the memory of a unit, which is updated group by group', async () => {
    const profile: ProfileInput = {
      tier2_scorers: [{ id: 'new', class: 'NoveltyScorer', params: { vector: 'v', dimensions: 2 } }],
    };
    const rows: readonly Offer[] = [1, 2, 1, 3].map((y, k) => ({ q: k < 2 ? 'a' : 'b', v: [1, y] }));
    const [one, other] = [await createPipeline<Offer>(profile), await createPipeline<Offer>(profile)];
    const partitions = await collect(one.rankPartitions(rows, {}, { by: 'q' }));
    const expected = [await other.rank(rows.slice(0, 2)), await other.rank(rows.slice(2))];
    const scores = ({ ranking }: Pick<Partition<Offer>, 'ranking'>) =>
      ranking.ranked.map(({ index, score }) => [index, score]);
    expect(partitions.map(scores)).toEqual(expected.map((ranking) => scores({ ranking })));
    expect(scores(partitions[1]!)).toContainEqual([0, expect.closeTo(0)]); // [1, 1] is in the first group, too
  });
});

describe('rankPartitions', () => {
  const make = () => createPipeline<Offer>({ tier2_scorers: [{ id: 'a', expr: 'candidate.a' }] });

  test('yields nothing for an empty input', async () => {
    const pipeline = await make();
    for (const rows of [[], lazily<Offer>([]), slowly<Offer>([]), columns({ q: [] })])
      expect(await collect(pipeline.rankPartitions(rows, {}, { by: 'q' }))).toEqual([]);
  });

  test('groups by a path or a function', async () => {
    const pipeline = await createPipeline<object>({ tier2_scorers: [{ id: 'a', expr: '1' }] });
    const rows = [
      { query: { id: 'q1' }, day: 1 },
      { query: { id: 'q2' }, day: 1 },
      { query: { id: 'q2' }, day: 2 },
    ];
    const keysBy = async (by: string | ((row: object) => unknown)) =>
      (await collect(pipeline.rankPartitions(rows, {}, { by }))).map(({ group }) => group);
    expect(await keysBy('query.id')).toEqual(['q1', 'q2']);
    expect(await keysBy((row) => JSON.stringify(row))).toHaveLength(3);
  });

  test('yields a group as soon as it is complete', async () => {
    const pipeline = await make();
    let read = 0;
    const rows = async function* (): AsyncGenerator<Offer> {
      for (; read < 100_000; read++) yield { q: read >> 1, a: 1 };
    };
    for await (const { group } of pipeline.rankPartitions(rows(), {}, { by: 'q' })) if (group === 3) break;
    expect(read).toBeLessThan(10_000);
  });

  test('refuses a group that appears again, with its row', async () => {
    const pipeline = await make();
    const rows = ['b', 'b', 'a', 'c', 'b'].map((q) => ({ q, a: 1 }));
    const seen: GroupKey[] = [];
    const read = async () => {
      for await (const { group } of pipeline.rankPartitions(rows, {}, { by: 'q' })) seen.push(group);
    };
    await expect(read()).rejects.toThrow(
      /ASZ536 row 4, counted from 0, belongs to an earlier group, q "b": the rows of a group must be adjacent\n {2}sort the rows by q; .*--sort/,
    );
    expect(seen).toEqual(['b', 'a']);
  });

  test.each([
    ['a list', [1], 'q is a list; expected a text, a number'],
    ['an object', {}, 'q is a map; expected a text'],
    ['an invalid date', new Date(Number.NaN), 'expected a text'],
    ['an integer that may have lost digits', 2 ** 53 + 2, 'different integers beyond 2^53'],
  ])('refuses %s as a group', async (_, q, message) => {
    const pipeline = await make();
    await expect(collect(pipeline.rankPartitions([{ q: 'x' }, { q }], {}, { by: 'q' }))).rejects.toThrow(message);
  });

  test('names the group in an error of its ranking', async () => {
    const pipeline = await createPipeline<Offer>({
      context: { tag: { type: 'string', required: true } },
      tier2_scorers: [{ id: 'a', expr: 'candidate.a' }],
    });
    const contexts = new Map<GroupKey, { tag: string }>([['x', { tag: 'red' }]]);
    const rows = [
      { q: 'x', a: 1 },
      { q: 'y', a: 1 },
    ];
    const partitions = pipeline.rankPartitions(rows, (_, group) => contexts.get(group) ?? {}, { by: 'q' });
    await expect(collect(partitions)).rejects.toThrow('in group "y": the context\'s tag is missing');
  });

  test('has one time for all groups', async () => {
    const pipeline = await make();
    const times = new Set<number>();
    for await (const { ranking } of pipeline.rankPartitions([{ q: 1 }, { q: 2 }, { q: 3 }], {}, { by: 'q' })) {
      times.add(ranking.now);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    expect(times.size).toBe(1);
  });

  test('stops with its signal', async () => {
    const pipeline = await make();
    const abort = new AbortController();
    const rows = Array.from({ length: 10_000 }, (_, q) => ({ q, a: 1 }));
    const read = async () => {
      for await (const { group } of pipeline.rankPartitions(rows, {}, { by: 'q', signal: abort.signal }))
        if (group === 10) abort.abort(new Error('enough'));
    };
    await expect(read()).rejects.toThrow('enough');
  });

  test('rejects invalid options', async () => {
    const pipeline = await make();
    // @ts-expect-error -- `by` is required
    expect(() => pipeline.rankPartitions([], {}, {})).toThrow(/ASZ533 the option by of rankPartitions is missing/);
    expect(() => pipeline.rankPartitions([], {}, { by: '' })).toThrow(/ASZ533 the option by of rankPartitions is ""/);
    expect(() => pipeline.rankPartitions([], {}, { by: 'q[' })).toThrow(/ASZ533.*q\[.*the path of a field/);
    // @ts-expect-error -- a number
    expect(() => pipeline.rankPartitions([], {}, { by: 3 })).toThrow(/ASZ533.*the path of a field, or a function/);
  });

  test('reranks a group with a change, within its limits', async () => {
    const pipeline = await make();
    const rows = [
      { q: 1, a: 1 },
      { q: 1, a: 2 },
      { q: 1, a: 3 },
    ];
    const [partition] = await collect(pipeline.rankPartitions(rows, {}, { by: 'q', top: 1 }));
    const changed = await partition!.ranking.whatIf({ weights: { a: 2 } });
    expect(changed.selected.map(({ index }) => index)).toEqual([2]);
  });
});

test('a set of keys finds each repeated key, and no other', () => {
  const seen = new GroupKeys();
  const all: GroupKey[] = [null, true, false, 0, 1, '0', '1', '', Number.NaN, 1n, new Date(1), new Date(0)];
  for (let k = 0; k < 200_000; k++) all.push(`key ${k}`, k + 2);
  expect(all.filter((key) => !seen.add(key))).toEqual([]);
  expect(all.filter((key) => seen.add(key))).toEqual([]);
});
