import { mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { columns as byColumn, createPipeline, type ProfileInput, rankFile } from 'assize';
import { parquetWriteFile } from 'hyparquet-writer/src/node.js';
import { measure } from '../measure.js';
import { random } from '../random.js';
import type { Section } from '../section.js';

/** `ASSIZE_BENCH_ROWS=10000000` measures ten times as many. */
const ROWS = Number(process.env['ASSIZE_BENCH_ROWS'] ?? 1_000_000);

const NUMBERS = Array.from({ length: 8 }, (_, k) => `n${k}`);
const TEXTS = Array.from({ length: 9 }, (_, k) => `t${k}`);

/** A profile of numbers: it reads eight of eighteen fields. */
const PROFILE: ProfileInput = {
  tier1_scorers: [{ id: 'low', expr: 'candidate.n0 < 100' }],
  tier2_scorers: NUMBERS.slice(1).map((name, k) => ({
    id: name,
    expr: `min(candidate.${name} / 1000, 1)`,
    weight: k + 1,
  })),
  select: { top: 10 },
};

type Numbers = Readonly<Record<string, Float64Array>>;

function numbersOf(rows: number): Numbers {
  const next = random();
  return Object.fromEntries(
    NUMBERS.map((name) => [name, Float64Array.from({ length: rows }, () => Math.round(next() * 1e6) / 1e3)]),
  );
}

const textOf = (row: number, k: number): string => `some text ${(row * 7919) % 1000} of ${k}`;

function writeLines(file: string, numbers: Numbers, rows: number): void {
  const out = openSync(file, 'w');
  for (let from = 0; from < rows; from += 10_000) {
    let text = '';
    for (let row = from; row < Math.min(rows, from + 10_000); row++) {
      const fields = Object.fromEntries(NUMBERS.map((name) => [name, numbers[name]![row]]));
      const texts = Object.fromEntries(TEXTS.map((name, k) => [name, textOf(row, k)]));
      text += `${JSON.stringify({ id: `row-${row}`, ...fields, ...texts })}\n`;
    }
    writeSync(out, text);
  }
}

const writeParquet = (filename: string, numbers: Numbers, rows: number): void =>
  parquetWriteFile({
    filename,
    rowGroupSize: 100_000,
    columnData: [
      { name: 'id', data: Array.from({ length: rows }, (_, row) => `row-${row}`), type: 'STRING' },
      ...NUMBERS.map((name) => ({ name, data: numbers[name]!, type: 'DOUBLE' as const })),
      ...TEXTS.map((name, k) => ({
        name,
        data: Array.from({ length: rows }, (_, row) => textOf(row, k)),
        type: 'STRING' as const,
      })),
    ],
  });

/** @throws Error where the best rows differ */
function agree(
  rankings: readonly {
    readonly selected: readonly { readonly index: number; readonly score?: number | undefined }[];
  }[],
): void {
  const best = rankings.map(({ selected }) => JSON.stringify(selected.map(({ index, score }) => [index, score])));
  if (new Set(best).size > 1) throw new Error('rows by column rank otherwise than rows by line');
}

export const columns: Section = {
  name: 'columns',
  title: 'Rows of a file, by line and by column',
  about: `One set of rows with eighteen fields, of which the profile reads eight numbers, as JSON Lines and as Parquet: read, judged,
scored and ranked with a fresh pipeline each time, in one thread and in two (Parquet is read by DuckDB, whose threads they are). Beside them the numbers alone,
which are in memory: as objects that are there, and as typed arrays.`,
  packages: ['hyparquet', '@duckdb/node-api'],
  async *run(effort) {
    const folder = mkdtempSync(join(tmpdir(), 'assize-bench-'));
    try {
      const per = effort.of(ROWS);
      const numbers = numbersOf(per);
      const [lines, parquet] = [join(folder, 'rows.jsonl'), join(folder, 'rows.parquet')];
      writeLines(lines, numbers, per);
      writeParquet(parquet, numbers, per);
      const rank = (file: string, workers: number) => rankFile(PROFILE, file, { workers });
      const pipelines = [await createPipeline(PROFILE), await createPipeline(PROFILE)];
      const few = { ...effort, rounds: Math.min(effort.rounds, 5) };
      const some = Math.min(per, 100_000);
      const part = Object.fromEntries(NUMBERS.map((name) => [name, numbers[name]!.subarray(0, some)]));
      const objects = Array.from({ length: some }, (_, row) =>
        Object.fromEntries(NUMBERS.map((name) => [name, numbers[name]![row]])),
      );
      const ranked = await Promise.all([rank(lines, 1), rank(lines, 2), rank(parquet, 1), rank(parquet, 2)]);
      agree(ranked);
      agree([pipelines[0]!.rankSync(objects), pipelines[1]!.rankSync(byColumn(part))]);
      const work = `${per.toLocaleString('en-US')} rows of a file, the best ten`;
      const files = await measure(
        [
          { name: 'JSON Lines', per, pass: () => rank(lines, 1) },
          { name: 'JSON Lines, two threads', per, pass: () => rank(lines, 2) },
          { name: 'Parquet', per, pass: () => rank(parquet, 1) },
          { name: 'Parquet, two threads', per, pass: () => rank(parquet, 2) },
        ],
        few,
      );
      yield { ...files.result(work, 'JSON Lines', 'row', 'Parquet'), goal: { atLeast: 5 } };
      yield files.result(work, 'JSON Lines, two threads', 'row', 'Parquet, two threads');
      yield files.result(work, 'Parquet', 'row');
      yield files.result(work, 'Parquet, two threads', 'row');
      const memory = await measure(
        [
          { name: 'objects', per: some, pass: () => pipelines[0]!.rankSync(objects) },
          { name: 'columns', per: some, pass: () => pipelines[1]!.rankSync(byColumn(part)) },
        ],
        few,
      );
      const inMemory = `${some.toLocaleString('en-US')} rows in memory, the best ten`;
      yield memory.result(inMemory, 'objects', 'row', 'columns');
      yield memory.result(inMemory, 'columns', 'row');
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};
