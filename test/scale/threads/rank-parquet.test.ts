import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { readColumn } from '../../../src/data/columns.js';
import { createCompiledProfile } from '../../../src/pipeline/create-pipeline.js';
import { NEVER } from '../../../src/engine/tasks.js';
import { overridePlan } from '../../../src/engine/call/override-plan.js';
import { createPipeline, type PlanOverrides, type ProfileInput, rankFile, scorer, type TopRanking } from 'assize';
import { readCandidates } from '../../../src/data/read-candidates.js';
import { DuckFile } from '../../../src/data/table/duck-file.js';
import { openParquet } from '../../../src/data/table/read-parquet.js';
import { openFile } from '../../../src/data/table/table.js';
import { openStreamRun } from '../../../src/pipeline/stream-run.js';
import { RunParts } from '../../../src/scale/parts/profile-parts.js';
import { joinGroups, type ShardSizes } from '../../../src/scale/threads/sharding.js';
import { type FileRun, rankFileWith } from '../../../src/scale/threads/rank-file.js';
import { readUnchanged, versionedFile } from '../../../src/scale/threads/versioned-file.js';
import { isBuilt, newFolder } from './folder.js';
import { MEETS } from './meets.js';

const folder = newFolder();

const RUNS = process.env['FUZZ'] ? 2000 : 25;

const PROFILE: ProfileInput = {
  name: 'repos',
  candidate: { pinned: 'candidate.?keep.orValue(false)' },
  signals: [{ id: 'one', class: 'ExpressionSignal', params: { value: '1 + 1' } }],
  tier1_scorers: [{ id: 'archived', expr: 'candidate.archived', on_absent: 'pass' }],
  measures: [{ id: 'half', expr: 'candidate.stars / 2' }],
  tier2_scorers: [
    { id: 'stars', expr: 'candidate.stars / 3', on_absent: 'refuse', out_of_range: 'warn' },
    { id: 'forks', expr: 'candidate.forks' },
    { id: 'halves', expr: 'measures.half + signals.one' },
    { id: 'rare', expr: 'candidate.nmae', weight: 2 },
    { id: 'long', expr: 'size(candidate.name) / (candidate.forks == 7.0 ? 0 : 1)', on_error: 'skip' },
  ],
  adjustments: [{ id: 'third', when: 'candidate.stars == 3', add: 1 }],
  select: { top: 4, min_score: 0.2, ties: ['candidate.?name.orValue("")', 'candidate.forks'] },
};

/** Everything that a ranking of many reports. */
const said = (found: TopRanking<object>): unknown => ({
  ...(JSON.parse(JSON.stringify(found)) as object),
  now: found.now,
  extent: found.extent(),
  explained: found.selected.map(({ index }) => found.explain({ index })),
});

interface Row {
  readonly id: string | null;
  readonly name: string | null;
  readonly stars: number | null;
  readonly forks: number | null;
  readonly archived: boolean | null;
  readonly keep: boolean;
  readonly other: string;
}

const number = fc.option(fc.constantFrom(1, 2, 3, 3, 4, -0, 0.1, 1e-320, 7, Number.NaN));

const row: fc.Arbitrary<Row> = fc.record({
  id: fc.option(fc.constantFrom('a', 'b', 'c', '@1')),
  name: fc.option(fc.constantFrom('', 'x', '𝒳 🦊')),
  stars: number,
  forks: number,
  archived: fc.option(fc.boolean()),
  keep: fc.constantFrom(false, false, false, true),
  other: fc.string({ maxLength: 5 }),
});

type ParquetColumn = NonNullable<Parameters<typeof parquetWriteBuffer>[0]['columnData']>[number];

/** @param without the name of a missing column */
function writeTable(name: string, rows: readonly Row[], rowGroupSize: number, without?: string): string {
  const column = (field: keyof Row, type: ParquetColumn['type']): ParquetColumn => {
    return { name: field, data: rows.map((one) => one[field]), ...(type && { type }), nullable: true };
  };
  const columnData = [
    column('id', 'STRING'),
    column('name', 'STRING'),
    column('stars', 'DOUBLE'),
    column('forks', 'DOUBLE'),
    column('archived', 'BOOLEAN'),
    column('keep', 'BOOLEAN'),
    column('other', 'STRING'),
  ].filter(({ name: own }) => own !== without);
  return folder.write(name, new Uint8Array(parquetWriteBuffer({ columnData, rowGroupSize })));
}

const CONTEXT = { now: 0 };

/** The work of threads, one shard after another in this one. */
async function inParts(profile: ProfileInput, call: PlanOverrides, file: string, least: number, duckFrom: number) {
  const plan = overridePlan((await createCompiledProfile(profile)).plan, call);
  const parts = new RunParts(await openStreamRun(plan, CONTEXT, NEVER));
  const bytes = await openFile(file);
  const table = await openParquet(bytes, file, 1, duckFrom);
  const merge = parts.merge();
  for (const shard of joinGroups(table.groups, least)) {
    const { minCompetitiveScore } = merge;
    // oxlint-disable-next-line no-await-in-loop -- in this order
    const part = await parts.rankRange(table, shard, { minCompetitiveScore });
    merge.take(merge.next, structuredClone(part));
  }
  const ranking = await merge.rankRowsOf(table);
  const found = said(ranking);
  table.close?.();
  await bytes.close();
  return found;
}

describe('a Parquet file in parts', () => {
  const cases = fc.record({
    rows: fc.array(row, { minLength: 1, maxLength: 60 }),
    group: fc.integer({ min: 1, max: 20 }),
    least: fc.integer({ min: 1, max: 25 }),
    without: fc.constantFrom(undefined, undefined, 'id', 'stars', 'name', 'archived'),
    ties: fc.constantFrom(undefined, ['input' as const], ['candidate.forks', 'input' as const]),
    call: fc.record(
      {
        top: fc.integer({ min: 1, max: 9 }),
        offset: fc.integer({ min: 0, max: 9 }),
        minScore: fc.constantFrom(-1, 0.2, 1, 2.5),
      },
      { requiredKeys: [] },
    ),
  });

  test.each([
    ['in JavaScript', 50_000],
    ['with DuckDB', 0],
  ])('equals the ranking as a whole, for any split: %s', async (_, duckFrom) => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ rows, group, least, without, ties, call }) => {
        const file = writeTable('rows.parquet', rows, group, without);
        const profile = { ...PROFILE, select: { ...PROFILE.select, ...(ties && { ties }) } };
        const whole = said(await rankFile(profile, file, CONTEXT, { ...call, workers: 1 }));
        expect(await inParts(profile, call, file, least, duckFrom)).toEqual(whole);
        const pipeline = await createPipeline<object>(profile);
        const listed = said(await pipeline.rankStream(await readCandidates(file, {}), CONTEXT, call));
        expect(whole).toEqual(listed);
      }),
      { numRuns: RUNS },
    );
  });

  test.each([
    ['in JavaScript', 50_000],
    ['with DuckDB', 0],
  ])('stops reading if another file replaces it: %s', async (_, duckFrom) => {
    const file = writeTable('replaced.parquet', manyRows(60), 20);
    const bytes = await openFile(file);
    const table = await openParquet(bytes, file, 1, duckFrom);
    const changed = 'it changed while it was read';
    const read = async (): Promise<void> => {
      for await (const columns of table.batches(new Set(['stars']))) {
        expect(columns.length).toBeGreaterThan(0);
        renameSync(writeTable('other.parquet', manyRows(61).slice(1), 20), file);
      }
    };
    await expect(read()).rejects.toThrow(changed);
    await expect(table.rows([0])).rejects.toThrow(changed);
    table.close?.();
    await bytes.close();
  });

  test.each(['another file', 'none'])('is not read if %s has replaced it', async (other) => {
    const file = writeTable('taken.parquet', manyRows(60), 20);
    const version = await versionedFile(file, file);
    const replace = (): void => {
      if (other === 'none') rmSync(file);
      else renameSync(writeTable('other.parquet', manyRows(60), 20), file);
    };
    await expect(readUnchanged(version!, replace)).rejects.toThrow('it changed while it was read');
  });

  test('DuckDB reads it from any row group on', async () => {
    const rows = manyRows(60);
    const file = writeTable('ranges.parquet', rows, 7);
    const duck = await DuckFile.open(file, 1);
    for (const { from, to } of [
      { from: 0, to: 7 },
      { from: 21, to: 60 },
    ]) {
      const read: unknown[] = [];
      // oxlint-disable-next-line no-await-in-loop -- one after another
      for await (const { columns, length } of duck!.batches([{ name: 'stars', kind: 'number' }], { from, to })) {
        for (let k = 0; k < length; k++) read.push(readColumn(columns.get('stars')!, k) ?? null);
      }
      expect(read).toEqual(rows.slice(from, to).map(({ stars }) => stars));
    }
    duck!.close();
  });

  test('is split between row groups, and small ones are merged', () => {
    const groups = [3, 5, 0, 20, 1, 1].reduce<{ from: number; to: number }[]>((made, size) => {
      const from = made.at(-1)?.to ?? 0;
      return [...made, { from, to: from + size }];
    }, []);
    expect(joinGroups(groups, 8)).toEqual([
      { from: 0, to: 8 },
      { from: 8, to: 28 },
      { from: 28, to: 30 },
    ]);
    expect(joinGroups(groups, 1).map(({ to }) => to)).toEqual([3, 8, 28, 29, 30]);
    expect(joinGroups([], 8)).toEqual([]);
  });
});

/** In this many threads, with shards of few rows. */
const rankIn = async (
  profile: string | ProfileInput,
  file: string,
  options: FileRun,
  sizes: Partial<ShardSizes> = {},
): Promise<TopRanking<object>> => {
  const how = { context: CONTEXT, ...options };
  const compiled = await createCompiledProfile(profile, how);
  return rankFileWith({ compiled, profile, trust: 'full' }, file, how, { bytes: 1, rows: 10, aloneMs: 0, ...sizes });
};

const manyRows = (count: number): Row[] =>
  Array.from({ length: count }, (_, i) => ({
    id: i % 5 === 0 ? null : `repo-${i % 37}`,
    name: i % 3 === 0 ? null : `name ${i % 7}`,
    stars: i % 13 === 0 ? null : (i * 7) % 50,
    forks: i % 4,
    archived: i % 9 === 0,
    keep: i === 250,
    other: i === 333 ? 'x' : '1',
  }));

describe.skipIf(!isBuilt)('several threads', () => {
  const few = writeTable('few.parquet', manyRows(400), 25);
  const many = writeTable('many.parquet', manyRows(60_000), 7000);

  test.each([
    ['small row groups', few, {}],
    ['numbers that DuckDB reads', many, {}],
    ['a page', few, { top: 6, offset: 7 }],
    ['a least score', few, { minScore: 9, top: 400 }],
    ['weights', few, { weights: { stars: 3, forks: 0 } }],
  ])('rank a Parquet file like one thread: %s', async (_, file, more) => {
    const [one, two] = [
      await rankIn(PROFILE, file, { ...more, workers: 1 }),
      await rankIn(PROFILE, file, { ...more, workers: 3 }),
    ];
    expect(said(two)).toEqual(said(one));
    expect(two.notices).toEqual([]);
    expect(two.warnings.length).toBeGreaterThan(0);
  });

  test('take part, and read numbers by DuckDB and strings without it', async () => {
    const meets = folder.write('meets.mjs', MEETS);
    const together: ProfileInput = {
      ...PROFILE,
      plugins: [meets],
      measures: [...(PROFILE.measures ?? []), { id: 'meets', class: 'Meets' }],
    };
    const met = join(folder.path, 'met');
    const one = await rankIn(together, many, { workers: 1 });
    const two = await rankIn(together, many, { workers: 2, context: { ...CONTEXT, met } });
    expect(existsSync(met)).toBe(true);
    expect(said(two)).toEqual(said(one));
    expect(two.notices).toEqual([]);
  });

  test('name a candidate that fails the run by its position among all', async () => {
    const failing: ProfileInput = { tier2_scorers: [{ id: 'n', expr: 'double(candidate.other)', on_error: 'fail' }] };
    const errors = await Promise.all(
      [1, 3].map((workers) => rankIn(failing, few, { workers, top: 1 }).catch((error: unknown) => error)),
    );
    for (const error of errors) {
      expect(error).toMatchObject({
        problems: [{ code: 'ASZ501', message: expect.stringContaining('n failed on @333: ') as string }],
      });
    }
    expect(String(errors[1])).toBe(String(errors[0]));
  });

  test('reject a file that changes while they read it', async () => {
    const file = writeTable('changing.parquet', manyRows(400), 25);
    let changed = false;
    const progress = (): void => {
      if (!changed) writeTable('changing.parquet', manyRows(401), 25);
      changed = true;
    };
    const ranking = rankIn(PROFILE, file, { workers: 2, progress });
    await expect(ranking).rejects.toThrow('it changed while it was read');
  });

  const anHour = 3_600_000;

  test('are neither started nor awaited if the main thread finishes first', async () => {
    const [one, two] = [
      await rankIn(PROFILE, few, { workers: 1 }),
      await rankIn(PROFILE, few, { workers: 2 }, { aloneMs: anHour }),
    ];
    expect(said(two)).toEqual(said(one));
  });

  test.each([0, anHour])('stop on abort: alone for %i ms', async (aloneMs) => {
    const controller = new AbortController();
    const progress = (): void => controller.abort(new Error('enough'));
    const ranking = rankIn(PROFILE, many, { workers: 2, signal: controller.signal, progress }, { aloneMs });
    await expect(ranking).rejects.toThrow('enough');
  });

  test('report the number of ranked rows', async () => {
    const steps: unknown[] = [];
    await rankIn(PROFILE, few, { workers: 2, progress: (step) => void steps.push(step) }, { rows: 150 });
    const task = `reading ${few}`;
    expect(steps).toEqual([150, 300, 400].map((done) => ({ task, unit: 'rows', done, total: 400 })));
  });
});

describe('one thread', () => {
  test('reports the number of read rows', async () => {
    const file = writeTable('alone.parquet', manyRows(60), 25);
    const steps: unknown[] = [];
    await rankIn(PROFILE, file, { workers: 1, progress: (step) => void steps.push(step) });
    const task = `reading ${file}`;
    expect(steps).toEqual([25, 50, 60].map((done) => ({ task, unit: 'rows', done, total: 60 })));
  });

  test('ranks a file of one row group, a small one and an empty one without a message', async () => {
    const single = writeTable('single.parquet', manyRows(400), 400);
    const empty = writeTable('empty.parquet', [], 10);
    for (const file of [single, empty]) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      expect((await rankIn(PROFILE, file, { workers: 2 })).notices).toEqual([]);
    }
    expect(
      (await rankFile(PROFILE, writeTable('small.parquet', manyRows(90), 10), {}, { workers: 2 })).notices,
    ).toEqual([]);
  });

  test('is used for units given in code, with a message', async () => {
    const file = writeTable('code.parquet', manyRows(40), 10);
    const found = await rankIn(PROFILE, file, { workers: 2, units: { Stars: scorer(() => 1) } });
    expect(found.notices).toEqual(['one thread: units given in code cannot be sent to another thread']);
    expect(said(found)).toEqual(said(await rankIn(PROFILE, file, { workers: 1 })));
  });
});
