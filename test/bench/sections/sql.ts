import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { rankFile, type TopRanking } from 'assize';
import { duckDbEngine, rankWith } from 'assize/sql';
import { measure } from '../measure.js';
import type { Section } from '../section.js';
import { NOW, PROFILE, write } from './workers.js';

const CANDIDATES = 1_000_000;

/** The same candidates as columns. */
async function copyToParquet(lines: string, parquet: string): Promise<void> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const quoted = (file: string): string => `'${file.replaceAll("'", "''")}'`;
  await connection.run(`COPY (SELECT * FROM read_json(${quoted(lines)})) TO ${quoted(parquet)} (FORMAT parquet)`);
  connection.closeSync();
}

const inProcess = (file: string): Promise<TopRanking<object>> => rankFile(PROFILE, file, { now: NOW }, { workers: 1 });

async function inDuckDb(file: string, threads: number): Promise<TopRanking<object>> {
  const engine = await duckDbEngine([file], { threads });
  try {
    return await rankWith(PROFILE, engine, { now: NOW });
  } finally {
    await engine.close();
  }
}

const answer = ({ selected, counts }: TopRanking<object>): string =>
  JSON.stringify([counts, selected.map(({ id, index, score }) => [id, index, score])]);

export const sql: Section = {
  name: 'sql',
  title: 'A profile as one SQL statement',
  about: `The rows of the section before, as JSON Lines and as Parquet. One thread reads, parses and ranks the lines; DuckDB runs
the statement over the same file. Its start and the compilation of the profile are included.`,
  packages: ['@duckdb/node-api'],
  async *run(effort) {
    const folder = mkdtempSync(join(tmpdir(), 'assize-bench-'));
    try {
      const [lines, parquet] = [join(folder, 'candidates.jsonl'), join(folder, 'candidates.parquet')];
      const per = effort.of(CANDIDATES);
      await write(lines, per);
      await copyToParquet(lines, parquet);
      const subjects = [
        { name: 'this process, JSON Lines', per, pass: () => inProcess(lines) },
        { name: 'DuckDB, JSON Lines, 1 thread', per, pass: () => inDuckDb(lines, 1) },
        { name: 'DuckDB, Parquet, 1 thread', per, pass: () => inDuckDb(parquet, 1) },
        { name: 'DuckDB, Parquet, 2 threads', per, pass: () => inDuckDb(parquet, 2) },
      ] as const;
      const answers = new Set<string>();
      // oxlint-disable-next-line no-await-in-loop -- one after another, in memory for one
      for (const { pass } of subjects) answers.add(answer(await pass()));
      if (answers.size !== 1) throw new Error('an engine ranks otherwise than this process');
      const times = await measure(subjects, { ...effort, rounds: Math.min(effort.rounds, 5) });
      const work = `${per.toLocaleString('en-US')} candidates of a file, the best ten`;
      yield times.result(work, 'this process, JSON Lines', 'candidate');
      for (const { name } of subjects.slice(1)) yield times.result(work, name, 'candidate', 'this process, JSON Lines');
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};
