import * as fc from 'fast-check';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { AssizeError, type ProfileInput } from 'assize';
import { groupText } from '../../../src/data/group-keys.js';
import { TableBatch } from '../../../src/data/output/table-batch.js';
import { readCandidateChunks } from '../../../src/data/read-candidates.js';
import { createCompiledProfile } from '../../../src/pipeline/create-pipeline.js';
import type { GroupBatch } from '../../../src/pipeline/group-batch.js';
import { Pipeline, rankPartitionChunks } from '../../../src/pipeline/pipeline.js';
import { resultColumns, ResultRows, type ResultTableOptions } from '../../../src/ranking/result-table.js';
import { contextOfGroups } from '../../../src/scale/parts/group-contexts.js';
import {
  type GroupPart,
  type GroupsOutput,
  type GroupsRun,
  pathsOf,
  type RankedGroup,
  singleGroups,
  withoutValue,
} from '../../../src/scale/parts/group-part.js';
import { GroupTotals } from '../../../src/scale/parts/group-totals.js';
import { shareGroups } from '../../../src/scale/threads/rank-groups.js';
import { groupText as groupTextMaker, type GroupTextSettings } from '../../../src/cli/output/group-text.js';
import { isBuilt, newFolder } from './folder.js';

const folder = newFolder();

const RUNS = Number(process.env['FUZZ'] ?? 6);

const FAST: ProfileInput = {
  tier1_scorers: [{ id: 'old', expr: 'candidate.age > 8' }],
  tier2_scorers: [
    { id: 'stars', expr: 'candidate.stars / 3', on_absent: 0.5 },
    { id: 'age', expr: '1 / (candidate.age + 1.0)' },
  ],
  select: { top: 3 },
};

/** Each group is ranked by itself, with its context, a warning, and a failure that does not fail the run. */
const SLOW: ProfileInput = {
  tier2_scorers: [
    { id: 'scaled', class: 'ScaledScorer', params: { scorer: { expr: 'candidate.stars' } } },
    { id: 'wanted', expr: 'candidate.age == context.age ? 1.0 : 0.0' },
    { id: 'typo', expr: 'candidate.strs' },
    { id: 'failing', expr: '1 / int(candidate.age - 3.0)', on_error: 'skip' },
  ],
  select: { top: 2 },
};

/** A candidate of age 9 fails the run. */
const FAILING: ProfileInput = {
  tier2_scorers: [{ id: 'failing', expr: '1.0 / (candidate.age == 9.0 ? [][0] : 1.0)', on_error: 'fail' }],
  select: { top: 2 },
};

const TEXT: GroupTextSettings = {
  by: 'group',
  format: 'jsonl',
  scorers: [],
  style: { columns: 80, limit: 80, colour: false, bars: false },
};

/** What is written of the groups, up to the error. */
async function written(
  groups: AsyncIterable<RankedGroup | GroupBatch | GroupPart>,
  output: GroupsOutput,
): Promise<unknown> {
  const totals = new GroupTotals();
  const table: ResultTableOptions =
    output.kind === 'table' ? output.table : { group: 'group', scorers: [], contributions: false };
  const batch = new TableBatch(resultColumns(table));
  const rows = new ResultRows(table);
  const textOf = groupTextMaker(TEXT);
  let text = '';
  let error: unknown;
  try {
    for await (const one of groups) {
      if ('totals' in one) {
        totals.addPart(one.totals);
        text += one.text;
        if (one.rows) batch.append(one.rows, 0, one.rows.count);
      } else if ('ranking' in one) {
        totals.add(one.ranking, groupText(one.group));
        if (output.kind === 'text') text += textOf(one);
        else for (const _ of rows.add(batch, one.ranking, one.group, output.all));
      } else {
        totals.addAll(one);
        rows.addAll(batch, one);
      }
    }
  } catch (thrown) {
    if (!(thrown instanceof AssizeError)) throw thrown;
    error = thrown.problems;
  }
  // A table that is not complete is discarded.
  if (error !== undefined && output.kind === 'table') return { error };
  return { error, text, rows: batch.stored, totals: totals.state, warnings: totals.warnings };
}

interface Case {
  readonly profile: ProfileInput;
  readonly file: string;
  readonly output: GroupsOutput;
  readonly contextFrom: readonly string[];
  readonly size: number;
  readonly workers: number;
}

/** Ranks the groups of a file in one thread and in several. */
async function both({
  profile,
  file,
  output,
  contextFrom,
  size,
  workers,
}: Case): Promise<{ readonly threads: unknown; readonly one: unknown } | undefined> {
  const compiled = await createCompiledProfile(profile);
  const run: GroupsRun = {
    by: 'group',
    now: 0,
    overrides: {},
    budget: undefined,
    contexts: { context: { age: 1 }, fields: contextFrom.map((name) => ({ name, path: name })), queries: undefined },
    output,
  };
  const absentError = async (paths: readonly string[]) =>
    new AssizeError(paths.map((path) => ({ code: 'ASZ541' as const, message: path })));
  const shared = await shareGroups(
    { compiled, profile, trust: 'full' },
    file,
    { workers, run, fields: undefined, absentError, onEmpty: () => {} },
    { bytes: size, rows: 1, mostRows: 1, aloneMs: 0 },
  );
  if ('reason' in shared) return undefined;
  const options = { by: 'group' };
  const part = { single: singleGroups(output), now: 0 };
  const chunks = async function* () {
    let absent = pathsOf(run);
    let isEmpty = true;
    for await (const chunk of readCandidateChunks(file, {})) {
      absent = withoutValue(absent, chunk);
      isEmpty = false;
      yield chunk;
    }
    if (!isEmpty && absent.length > 0) throw await absentError(absent);
  };
  const pipeline = new Pipeline<object>(compiled);
  const alone = rankPartitionChunks(pipeline, chunks(), contextOfGroups(run.contexts), options, part);
  return { threads: await written(shared, output), one: await written(alone, output) };
}

const key = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 0, max: 400 }).map((k) => `q${k}`) },
  fc.constantFrom(null, undefined, '', '日本 🦊', 7, 7.5, true, '7'),
  fc.string(),
);

/** Groups with many ties, some of them much larger than a shard. */
const groups = fc.array(
  fc.record({
    key,
    rows: fc.array(
      fc.record({
        id: fc.oneof(fc.constantFrom('a', 'b', '🙂, "a"'), fc.string()),
        stars: fc.option(fc.integer({ min: 0, max: 4 })),
        age: fc.integer({ min: 0, max: 8 }),
      }),
      { minLength: 1, maxLength: 12 },
    ),
    times: fc.constantFrom(1, 1, 1, 1, 2, 60),
  }),
  { minLength: 1, maxLength: 40 },
);

type Groups = typeof groups extends fc.Arbitrary<infer G> ? G : never;
type Rows = readonly { readonly group: unknown; readonly stars: number | null; readonly age: number }[];

const rowsOf = (found: Groups): Rows =>
  found.flatMap(({ key: group, rows, times }) =>
    Array.from({ length: times }, () => rows.map((row) => ({ group, ...row }))).flat(),
  );

const output = fc.constantFrom<GroupsOutput>(
  { kind: 'table', table: { group: 'group', scorers: ['stars', 'age'], contributions: true }, all: false },
  { kind: 'table', table: { group: 'group', scorers: ['stars'], contributions: false }, all: true },
  { kind: 'text', settings: TEXT },
);

const how = fc.record({
  profile: fc.constantFrom(FAST, SLOW, FAILING),
  output,
  contextFrom: fc.constantFrom([], [], ['age'], ['missing']),
  workers: fc.integer({ min: 2, max: 4 }),
});

/** Changes that make one thread fail in the middle: a row of age 9, a list as group, a line that is no JSON. */
const wrong = fc.record({
  at: fc.nat(),
  kind: fc.constantFrom('none', 'none', 'none', 'age', 'list', 'line', 'end'),
  unique: fc.boolean(),
});

/** Removes groups that appear again. */
function uniqueGroups(found: Groups): Groups {
  const seen = new Set<unknown>();
  return found.filter(({ key: own }) => {
    const name = own ?? null;
    return !seen.has(name) && seen.add(name);
  });
}

describe.skipIf(!isBuilt)('threads rank the groups as one thread does, and fail as it does', () => {
  test('lines, cut anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(groups, how, wrong, fc.integer({ min: 20, max: 900 }), async (made, own, bad, size) => {
        const rows = rowsOf(bad.unique ? uniqueGroups(made) : made);
        const lines = rows.map((row) => JSON.stringify(row));
        const at = bad.at % lines.length;
        if (bad.kind === 'age') lines[at] = JSON.stringify({ ...rows[at], age: 9 });
        if (bad.kind === 'list') lines[at] = JSON.stringify({ ...rows[at], group: [1] });
        if (bad.kind === 'line') lines.splice(at, 0, '', '{"group":');
        if (bad.kind === 'end') lines.push('[1]');
        const file = folder.write('groups.jsonl', lines.join(bad.at % 2 ? '\n' : '\r\n'));
        const found = await both({ ...own, file, size });
        fc.pre(found !== undefined); // the file has several shards
        expect(found.threads).toEqual(found.one);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });

  test('row groups of Parquet, of any size', async () => {
    await fc.assert(
      fc.asyncProperty(groups, how, wrong, fc.integer({ min: 1, max: 40 }), async (made, own, bad, size) => {
        const rows = rowsOf(bad.unique ? uniqueGroups(made) : made).map((row, k, all) => ({
          ...row,
          group: typeof row.group === 'string' ? row.group : null,
          age: bad.kind === 'age' && k === bad.at % all.length ? 9 : row.age,
        }));
        const columnData = [
          { name: 'group', data: rows.map(({ group }) => group), type: 'STRING' as const, nullable: true },
          { name: 'stars', data: rows.map(({ stars }) => stars), type: 'INT32' as const, nullable: true },
          { name: 'age', data: rows.map(({ age }) => age), type: 'DOUBLE' as const },
        ];
        const file = folder.write(
          'groups.parquet',
          new Uint8Array(parquetWriteBuffer({ columnData, rowGroupSize: size })),
        );
        const found = await both({ ...own, file, size });
        fc.pre(found !== undefined); // the file has several shards
        expect(found.threads).toEqual(found.one);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });
});
