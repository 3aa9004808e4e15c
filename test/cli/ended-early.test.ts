/* A table that a signal ends: no unfinished file is left, beside the table or in the folder for temporary files. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/base/package-root.js';
import { inFolder } from './run-here.js';

const MAIN = join(packageRoot(), 'dist', 'bundle', 'cli.js');
const ROWS = 3_000_000;

inFolder({ 'stars.yaml': 'tier2_scorers: [{ id: stars, expr: candidate.stars }]' });

beforeAll(async () => {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const rows = (group: string): string =>
    `COPY (SELECT ${group} AS query_id, 'd' || r AS id, r % 97 AS stars FROM range(${ROWS}) t(r))`;
  await connection.run(`${rows('r // 10')} TO 'grouped.parquet' (FORMAT parquet)`);
  await connection.run(`${rows('hash(r) % 1000')} TO 'mixed.parquet' (FORMAT parquet)`);
  connection.closeSync();
  instance.closeSync();
});

/** Sends a signal when a file is there, and returns the files that are left. */
async function endedBy(signal: NodeJS.Signals, args: readonly string[], isThere: (temp: string) => boolean) {
  const temp = join(process.cwd(), `temp-${signal}-${args.length}`);
  mkdirSync(temp, { recursive: true });
  const before = readdirSync('.');
  const all = ['rank', '-p', './stars.yaml', '--partition-by', 'query_id', ...args];
  const child = spawn(process.execPath, [MAIN, ...all], { stdio: 'ignore', env: { ...process.env, TMPDIR: temp } });
  const ended = once(child, 'exit');
  // oxlint-disable-next-line no-await-in-loop -- waits for the other process
  while (!isThere(temp) && child.exitCode === null) await setTimeout(5);
  const reached = child.exitCode === null;
  child.kill(signal);
  const [code, by] = (await ended) as [number | null, NodeJS.Signals | null];
  const left = [...readdirSync('.').filter((name) => !before.includes(name)), ...readdirSync(temp)];
  return { reached, code, by, left: left.filter((name) => !name.startsWith('node-compile-cache')) };
}

const isWritten = (): boolean => readdirSync('.').some((name) => name.endsWith('.tmp'));
const isSorted = (temp: string): boolean => readdirSync(temp).some((name) => name.startsWith('assize-sort-'));

describe.skipIf(!existsSync(MAIN) || process.platform === 'win32')('a signal while a table is written', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('%s removes the unfinished table', async (signal) => {
    const ended = await endedBy(signal, ['--output', 'ranked.parquet', 'grouped.parquet'], isWritten);
    expect(ended).toEqual({ reached: true, code: null, by: signal, left: [] });
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('%s removes the files of a sort', async (signal) => {
    const ended = await endedBy(signal, ['--sort', '--output', 'ranked.csv', 'mixed.parquet'], isSorted);
    expect(ended).toEqual({ reached: true, code: null, by: signal, left: [] });
  });
});
