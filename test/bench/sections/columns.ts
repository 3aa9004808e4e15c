import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { columns as byColumn, createPipeline, rankFile, type TopRanking } from 'assize';
import { duckDbEngine, rankWith } from 'assize/sql';
import { NUMBERS, PROFILE, TEXTS_PROFILE, writeFiles } from '../columns/files.js';
import { measure, type Subject } from '../measure.js';
import { random } from '../random.js';
import type { Result } from '../result.js';
import type { Effort, Section } from '../section.js';

/** `ASSIZE_BENCH_ROWS=10000000 npm run bench -- columns` measures ten times as many, in some twenty minutes. */
const ROWS = Number(process.env['ASSIZE_BENCH_ROWS'] ?? 1_000_000);
const IN_MEMORY = 100_000;

async function inDuckDb(file: string, threads: number): Promise<TopRanking<object>> {
  const engine = await duckDbEngine([file], { threads });
  try {
    return await rankWith(PROFILE, engine);
  } finally {
    await engine.close();
  }
}

/** @throws Error if the best rows differ */
async function checkAgree(subjects: readonly Subject[]): Promise<void> {
  const best = new Set<string>();
  for (const { pass } of subjects) {
    // oxlint-disable-next-line no-await-in-loop -- one after another, in memory for one
    const { selected } = (await pass()) as Pick<TopRanking<object>, 'selected'>;
    best.add(JSON.stringify(selected.map(({ index, score }) => [index, score])));
  }
  if (best.size > 1) throw new Error(`${subjects.map(({ name }) => name).join(', ')} rank differently`);
}

async function* ofFiles(effort: Effort): AsyncGenerator<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'assize-bench-'));
  try {
    const per = effort.of(ROWS);
    const { jsonl, csv, parquet } = await writeFiles(folder, per);
    const here = (name: string, file: string, workers: number, profile = PROFILE): Subject => ({
      name: `${name}, ${workers === 1 ? 'one thread' : 'two threads'}`,
      per,
      pass: () => rankFile(profile, file, {}, { workers }),
    });
    const there = (name: string, file: string, threads: number): Subject => ({
      name: `DuckDB, ${name}, ${threads === 1 ? 'one thread' : 'two threads'}`,
      per,
      pass: () => inDuckDb(file, threads),
    });
    const subjects = [
      here('JSON Lines', jsonl, 1),
      here('JSON Lines', jsonl, 2),
      here('CSV', csv, 1),
      here('Parquet', parquet, 1),
      here('Parquet', parquet, 2),
      there('JSON Lines', jsonl, 1),
      there('Parquet', parquet, 1),
      there('Parquet', parquet, 2),
    ];
    await checkAgree(subjects);
    const times = await measure(subjects, { ...effort, rounds: Math.min(effort.rounds, ROWS > 1_000_000 ? 2 : 5) });
    const work = `${per.toLocaleString('en-US')} rows of a file, the best ten`;
    yield { ...times.result(work, 'JSON Lines, one thread', 'row', 'Parquet, one thread'), goal: { atLeast: 5 } };
    yield times.result(work, 'JSON Lines, two threads', 'row', 'Parquet, two threads');
    for (const { name } of subjects.slice(2)) yield times.result(work, name, 'row', 'Parquet, one thread');
    const texts = [1, 2].map((workers) => here('Parquet', parquet, workers, TEXTS_PROFILE));
    await checkAgree(texts);
    const [one, two] = ['Parquet, one thread', 'Parquet, two threads'] as const;
    const beside = await measure(texts, { ...effort, rounds: Math.min(effort.rounds, 2) });
    yield beside.result(`${work}, texts searched`, one, 'row', two);
    yield beside.result(`${work}, texts searched`, two, 'row');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function* inMemory(effort: Effort): AsyncGenerator<Result> {
  const per = effort.of(IN_MEMORY);
  const next = random();
  const numbers = Object.fromEntries(
    NUMBERS.map((name) => [name, Float64Array.from({ length: per }, () => Math.round(next() * 1e6) / 1e3)]),
  );
  const objects = Array.from({ length: per }, (_, row) =>
    Object.fromEntries(NUMBERS.map((name) => [name, numbers[name]![row]])),
  );
  const [first, second] = [await createPipeline(PROFILE), await createPipeline(PROFILE)];
  const subjects: readonly Subject[] = [
    { name: 'objects', per, pass: () => first.rankSync(objects) },
    { name: 'columns', per, pass: () => second.rankSync(byColumn(numbers)) },
  ];
  await checkAgree(subjects);
  const times = await measure(subjects, effort);
  const work = `${per.toLocaleString('en-US')} rows in memory, the best ten`;
  yield times.result(work, 'objects', 'row', 'columns');
  yield times.result(work, 'columns', 'row');
}

export const columns: Section = {
  name: 'columns',
  title: 'Rows of a file, by line and by column',
  about: `Rows with eighteen fields, of which the profile reads eight numbers, as JSON Lines, CSV and Parquet: read, scored and ranked with a
new pipeline each time. "DuckDB" evaluates the vetoes and scores in SQL. A second profile also searches two texts. Then the numbers
alone, in memory: as objects and as typed arrays. All select the same rows with the same scores.`,
  packages: ['hyparquet', '@duckdb/node-api'],
  patience: 10 * 60_000 * Math.max(1, ROWS / 1_000_000),
  async *run(effort) {
    yield* ofFiles(effort);
    yield* inMemory(effort);
  },
};
