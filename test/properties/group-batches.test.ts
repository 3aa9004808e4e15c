/* Groups that are ranked together: the same table, counts and failures as groups that are ranked one by one. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { columns, createPipeline, type Pipeline, type ProfileInput } from 'assize';
import { mergeChunks, TableBatch } from '../../src/data/index.js';
import { rankPartitionChunks } from '../../src/pipeline/index.js';
import { resultColumns, ResultRows, type ResultTableOptions, type TopCounts } from '../../src/ranking/index.js';
import { COMBINES, readsWeights } from './arbitraries.js';

/** Scorers that are relative to their group. */
const RELATIVE = [
  undefined,
  { type: 'min_max', reverse: true, lower: { at: 0.5 }, equal: 0.25 },
  { type: 'min_max', integer: 4, upper: { at: 2, mode: 'clip' } },
  { type: 'min_max', min_spread: 1 },
  { type: 'max', floor: 0.1 },
  { type: 'z_score', deviation: 'sample' },
  { type: 'l2' },
  { type: 'rank' },
  { type: 'rank', ties: 'order' },
].flatMap((scale) =>
  [
    { expr: 'candidate.b' },
    { expr: 'candidate.b * 2', on_absent: 1 },
    { expr: 'candidate.b', on_absent: 'refuse' },
  ].map((scorer) => ({ class: 'ScaledScorer', params: { scorer, ...(scale && { scale }) } })),
);

/** Numbers with ties, both zeros, and nulls; also values that scorers cannot use. */
const numbers = (odd: boolean) =>
  fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 0, max: 6 }).map((n) => n / 2) },
    { weight: 4, arbitrary: fc.double({ min: 0.01, max: 100, noNaN: true }) },
    { weight: 2, arbitrary: fc.constantFrom<number | null>(null, null, -0) },
    { weight: odd ? 1 : 0, arbitrary: fc.constantFrom<number | null>(Number.NaN, Infinity, -3, 1e308) },
  );

const rowsWith = (odd: boolean) =>
  fc.record({
    a: numbers(odd),
    b: numbers(odd),
    lang: fc.constantFrom('go', 'ts', null, ''),
    old: fc.constantFrom(true, false, false, null),
    made: fc.oneof(fc.integer({ min: 0, max: 2e12 }), fc.constant(Number.NaN)),
    id: fc.constantFrom<unknown>('x', 'y', 'z', '', null, 7, 'ä'),
  });

/** Groups of one row to a few hundred. */
const groupsOfRows = fc.constantFrom(false, false, false, true).chain((odd) =>
  fc.array(
    fc
      .array(rowsWith(odd), { minLength: 1, maxLength: 60, size: 'max' })
      .chain((rows) => fc.integer({ min: 1, max: 3 }).map((times) => Array.from({ length: times }, () => rows).flat())),
    { minLength: 2, maxLength: 8 },
  ),
);

const onAbsent = fc.constantFrom<'skip' | 'refuse' | number>('skip', 'refuse', 0.5);
const entry = fc.record({
  weight: fc.integer({ min: 1, max: 4 }),
  on_absent: onAbsent,
  on_error: fc.constantFrom<'skip' | 'refuse' | number>('skip', 'refuse', 0.25),
});
const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const profiles = fc
  .record({
    combine: fc.constantFrom(...COMBINES, { formula: 'a + b * 2' }),
    first: entry,
    second: entry,
    third: entry,
    use: fc.oneof(
      fc.constantFrom({ expr: 'candidate.b / 2' }, { expr: 'candidate.b * candidate.a' }),
      fc.constantFrom(...RELATIVE),
    ),
    top: some(fc.nat(6)),
    min_score: some(fc.constantFrom(0, 0.5, 1)),
    rule: fc.boolean(),
    veto: fc.constantFrom<'pass' | 'refuse'>('pass', 'refuse'),
    byCase: fc.boolean(),
    idPath: fc.boolean(),
  })
  .map(({ combine, first, second, third, use, top, min_score, rule, veto, byCase, idPath }): ProfileInput => {
    const weighted = typeof combine === 'string' && readsWeights(combine);
    const own = ({ weight, ...rules }: typeof first) => ({ ...rules, ...(weighted && { weight }) });
    return {
      ...(idPath && { candidate: { id: 'lang' } }),
      tier1_scorers: [{ id: 'old', expr: 'candidate.old', on_absent: veto }],
      tier2_scorers: [
        { id: 'a', expr: 'min(candidate.a, 3)', ...own(first) },
        { id: 'b', ...use, ...own(second) },
        {
          id: 'c',
          expr: 'candidate.lang == "go" ? 1.0 : (candidate.made > timestamp("2001-01-01T00:00:00Z") ? 0.75 : 0.5)',
          ...own(third),
        },
      ],
      combine,
      ...(byCase && weighted && { weights: { by: 'candidate.lang', cases: { go: { a: 3 }, ts: { c: 2 } } } }),
      ...(rule && { adjustments: [{ id: 'boost', when: 'candidate.lang == "ts" || scores.b > 0.5', multiply: 1.5 }] }),
      select: { ...(top !== undefined && { top }), ...(min_score !== undefined && { min_score }) },
    };
  });

type Row = Readonly<Record<string, unknown>>;

const tableOf = (groups: readonly (readonly Row[])[]): readonly object[] => {
  const rows = groups.flatMap((own, group) => own.map((one) => ({ ...one, group: `g${group}` })));
  const column = (name: string): readonly unknown[] => rows.map((one) => (one as Row)[name]);
  return columns({
    group: column('group'),
    id: column('id'),
    a: numbersOf(column('a')),
    b: numbersOf(column('b')),
    lang: column('lang'),
    old: column('old'),
    made: { dates: Float64Array.from(column('made'), Number) },
  });
};

const numbersOf = (list: readonly unknown[]) => ({
  values: Float64Array.from(list, Number),
  present: Uint8Array.from(list, (value) => (value === null ? 0 : 1)),
});

interface Ranked {
  readonly rows: readonly (readonly unknown[])[];
  readonly counts: TopCounts | undefined;
  readonly degraded: unknown;
  readonly error: string | undefined;
  readonly batches: number;
}

const NO_COUNTS: TopCounts = { given: 0, ranked: 0, selected: 0, notSelected: 0, refused: 0 };

async function ranked(pipeline: Pipeline<object>, rows: readonly object[], together: boolean): Promise<Ranked> {
  const options: ResultTableOptions = { group: 'group', scorers: ['a', 'b', 'c'], contributions: true };
  const table = new TableBatch(resultColumns(options));
  const output = new ResultRows(options);
  const chunks = (async function* () {
    yield rows;
  })();
  const context = { now: '2026-01-01T00:00:00Z' };
  let counts = NO_COUNTS;
  let batches = 0;
  let error: string | undefined;
  const degraded: unknown[] = [];
  try {
    const results = rankPartitionChunks(pipeline, chunks, context, { by: 'group' }, together ? { single: 0 } : {});
    for await (const one of results) {
      const own = 'ranking' in one ? one.ranking.counts : one.counts;
      counts = {
        given: counts.given + own.given,
        ranked: counts.ranked + own.ranked,
        selected: counts.selected + own.selected,
        notSelected: counts.notSelected + own.notSelected,
        refused: counts.refused + own.refused,
      };
      if ('ranking' in one) {
        degraded.push(...one.ranking.degraded);
        for (const _ of output.add(table, one.ranking, one.group, false)) throw new Error('the table is full');
      } else {
        output.addAll(table, one);
        batches += 1;
      }
    }
  } catch (thrown) {
    error = String(thrown);
  }
  const lines = Array.from({ length: table.length }, (_, k) => table.cells.map((cells) => cells.at(k)));
  return { rows: lines, counts, degraded, error, batches };
}

test('groups that are ranked together have the same table as groups that are ranked one by one', async () => {
  let [batches, partial] = [0, 0];
  await fc.assert(
    fc.asyncProperty(profiles, groupsOfRows, fc.boolean(), async (profile, groups, codegen) => {
      const pipeline = await createPipeline<object>(profile, { codegen });
      const rows = tableOf(groups);
      const { batches: made, ...together } = await ranked(pipeline, rows, true);
      const { batches: _, ...single } = await ranked(pipeline, rows, false);
      batches += made;
      if (made > 0) partial += Number(together.rows.some((line) => line[8] === null || line[9] === null));
      expect(together).toEqual(single);
    }),
    { numRuns: 300 },
  );
  expect([batches > 20, partial > 5]).toEqual([true, true]);
});

test('merged chunks have the rows of the chunks, in their order', async () => {
  const sizes = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(sizes, fc.integer({ min: 1, max: 20 }), fc.boolean(), async (lengths, least, odd) => {
      let next = 0;
      const parts = lengths.map((length, k): readonly object[] => {
        const own = Array.from({ length }, () => ({ id: `i${next}`, n: next % 3 ? next : null, t: next++ * 1000 }));
        if (odd && k % 3 === 1) return own;
        return columns({
          id: own.map(({ id }) => id),
          n:
            k % 2
              ? numbersOf(own.map(({ n }) => n))
              : {
                  values: Float64Array.from(own, ({ n }) => n ?? 0),
                  present: Uint8Array.from(own, ({ n }) => Number(n !== null)),
                },
          t: { dates: Float64Array.from(own, ({ t }) => t) },
          code: { dictionary: DICTIONARY, codes: Uint8Array.from(own, (_, i) => i % 2) },
        });
      });
      const merged: (readonly object[])[] = [];
      for await (const chunk of mergeChunks(asyncOf(parts), least)) merged.push(chunk);
      expect(merged.flatMap((chunk) => Array.from(chunk))).toEqual(parts.flatMap((part) => Array.from<object>(part)));
    }),
    { numRuns: 200 },
  );
});

const DICTIONARY = ['x', 'y'];

async function* asyncOf<T>(list: readonly T[]): AsyncGenerator<T, void> {
  yield* list;
}
