import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import type { ProfileInput } from 'assize';
import { random } from '../random.js';

export const NUMBERS = Array.from({ length: 8 }, (_, k) => `n${k}`);
const TEXTS = Array.from({ length: 9 }, (_, k) => `t${k}`);

/** A profile of numbers: it reads eight of eighteen fields. */
export const PROFILE: ProfileInput = {
  tier1_scorers: [{ id: 'low', expr: 'candidate.n0 < 100' }],
  tier2_scorers: NUMBERS.slice(1).map((name, k) => ({
    id: name,
    expr: `min(candidate.${name} / 1000, 1)`,
    weight: k + 1,
  })),
  select: { top: 10 },
};

/** The same with texts, each of which is searched. */
export const TEXTS_PROFILE: ProfileInput = {
  ...PROFILE,
  tier2_scorers: [
    ...(PROFILE.tier2_scorers ?? []),
    ...TEXTS.slice(0, 2).map((name) => ({
      id: name,
      expr: `candidate.${name}.contains("7") ? 1.0 : 0.0`,
    })),
  ],
};

const LINES_AT_ONCE = 10_000;

/** The rows as JSON Lines, a few thousand at a time, because all of them do not fit in memory. */
function* linesOf(rows: number): Generator<string> {
  const next = random();
  for (let from = 0; from < rows; from += LINES_AT_ONCE) {
    let text = '';
    for (let row = from; row < Math.min(rows, from + LINES_AT_ONCE); row++) {
      const fields: Record<string, unknown> = { id: `row-${row}` };
      for (const name of NUMBERS) fields[name] = Math.round(next() * 1e6) / 1e3;
      for (const [k, name] of TEXTS.entries()) fields[name] = `some text ${(row * 7919) % 1000} of ${k}`;
      text += `${JSON.stringify(fields)}\n`;
    }
    yield text;
  }
}

/** The same rows in files of each kind. */
export interface RowFiles {
  readonly jsonl: string;
  readonly csv: string;
  readonly parquet: string;
}

/** Writes the JSON Lines; DuckDB converts them to the other formats. */
export async function writeFiles(folder: string, rows: number): Promise<RowFiles> {
  const files = {
    jsonl: join(folder, 'rows.jsonl'),
    csv: join(folder, 'rows.csv'),
    parquet: join(folder, 'rows.parquet'),
  };
  await pipeline(Readable.from(linesOf(rows)), createWriteStream(files.jsonl));
  const types = [
    "id: 'VARCHAR'",
    ...NUMBERS.map((name) => `${name}: 'DOUBLE'`),
    ...TEXTS.map((name) => `${name}: 'VARCHAR'`),
  ];
  const quoted = (file: string): string => `'${file.replaceAll("'", "''")}'`;
  const all = `SELECT * FROM read_json(${quoted(files.jsonl)}, format = 'newline_delimited', columns = {${types.join(', ')}})`;
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '2GB', temp_directory: folder });
  const connection = await instance.connect();
  await connection.run(`COPY (${all}) TO ${quoted(files.parquet)} (FORMAT parquet)`);
  await connection.run(`COPY (${all}) TO ${quoted(files.csv)} (FORMAT csv, HEADER)`);
  connection.closeSync();
  instance.closeSync();
  return files;
}
