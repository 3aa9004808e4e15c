import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ProgressStep } from '../../../src/sdk/trace.js';
import { followStatement } from '../../../src/scale/sql/engines/engine.js';
import { duckDbEngine, postgresEngine, rankWith, type SqlEngine } from 'assize/sql';
import { closing } from './digest.js';
import { temporaryFolder } from '../../temporary-folder.js';

const folder = temporaryFolder('assize-progress-');
const file = join(folder, 'films.jsonl');
let pglite: PGlite;
beforeAll(async () => {
  const rows = Array.from({ length: 3000 }, (_, k) => ({ pos: k, a: k % 97 }));
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  pglite = await PGlite.create();
  await pglite.exec(
    'CREATE TABLE films AS SELECT k AS pos, CAST(k % 97 AS float8) AS a FROM generate_series(0, 2999) AS k',
  );
});
afterAll(async () => {
  await pglite.close();
});

async function stepsOf(engine: SqlEngine, expr: string): Promise<readonly ProgressStep[]> {
  const steps: ProgressStep[] = [];
  const profile = { tier2_scorers: [{ id: 'a', expr }], select: { top: 3 } };
  await closing(engine, rankWith(profile, engine, {}, { progress: (step) => steps.push(step) }));
  return steps;
}

const duckdb = () => duckDbEngine([file], { threads: 1 });
const postgres = () => postgresEngine(pglite, { table: 'films', orderBy: 'pos' });

test.each([
  ['duckdb', duckdb, `querying ${file} with duckdb`],
  ['postgres', postgres, 'querying table films with postgres'],
])('a statement reports its progress and its end: %s', async (_, open, task) => {
  const steps = await stepsOf(await open(), 'candidate.a');
  expect(new Set(steps.map((step) => step.task))).toEqual(new Set([task]));
  expect(steps.at(-1)).toEqual({ task, unit: 'percent', done: 100, total: 100 });
  const before = steps.slice(0, -1);
  expect(before.length).toBeGreaterThan(0);
  for (const { done, total } of before) {
    expect(done).not.toBe(total);
    expect(done).toBeGreaterThanOrEqual(0);
  }
});

test('an error of a progress callback fails the call, after the statement has ended', async () => {
  const steps: ProgressStep[] = [];
  let end = (): void => {};
  const ended = followStatement(
    'asking',
    // Ends after the second report, that of the timer, has thrown.
    () => new Promise<void>((resolve) => (end = resolve)),
    (step) => {
      steps.push(step);
      if (steps.length === 1) return;
      end();
      throw new Error('no room to draw');
    },
    () => -1,
  );
  await expect(ended).rejects.toThrow('no room to draw');
  const begun = { task: 'asking', unit: 'percent', done: 0, total: 100 };
  expect(steps).toEqual([begun, begun]);
});

// The process evaluates the part that SQL cannot, row by row.
const LIST = '[candidate.a].exists(x, x > 3) ? 1.0 : 0.0';

test('rows that the process reads from a file are counted like those of any file', async () => {
  const steps = await stepsOf(await duckdb(), LIST);
  const { task, unit, done, total } = steps.at(-1)!;
  expect({ task, unit }).toEqual({ task: `reading ${file}`, unit: 'bytes' });
  expect(done).toBe(total);
});

test('rows of a table are counted by their number', async () => {
  const steps = await stepsOf(await postgres(), LIST);
  const task = 'reading table films';
  expect(steps[0]).toEqual({ task, unit: 'rows', done: 1024, total: 3000 });
  expect(steps.at(-1)).toEqual({ task, unit: 'rows', done: 3000, total: 3000 });
});

test('a failing statement ends its progress', async () => {
  const engine = await duckdb();
  const steps: ProgressStep[] = [];
  await expect(
    closing(
      engine,
      engine.sieve('SELECT nothing', undefined, (step) => steps.push(step)),
    ),
  ).rejects.toThrow('nothing');
  expect(steps.at(-1)).toMatchObject({ done: 100, total: 100 });
});
