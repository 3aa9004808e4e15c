/*
 * The command in a process with a small heap: bounded memory where the help states it, otherwise an error with the
 * reason.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/base/package-root.js';
import { PATIENCE_MS } from '../patience.js';
import { temporaryFolder } from '../temporary-folder.js';

type ColumnSource = NonNullable<Parameters<typeof parquetWriteBuffer>[0]['columnData']>[number];

const MAIN = join(packageRoot(), 'dist', 'bundle', 'cli.js');
const HEAP_MB = 64;
const ROWS = 250_000;

const folder = temporaryFolder('assize-heap-');

async function write(name: string, line: (k: number) => string): Promise<void> {
  const file = createWriteStream(join(folder, name));
  for (let k = -1; k < ROWS; k += 5000) {
    const lines = Array.from({ length: Math.min(5000, ROWS - k) }, (_, i) => line(k + i)).join('');
    if (!file.write(lines)) await once(file, 'drain'); // oxlint-disable-line no-await-in-loop
  }
  file.end();
  await once(file, 'close');
}

/** Runs `assize` with a small heap, and returns its output and exit code. */
async function assize(...args: readonly string[]) {
  const child = spawn(process.execPath, [`--max-old-space-size=${HEAP_MB}`, MAIN, ...args], { cwd: folder });
  child.stdin.end();
  const [out, err, [code, signal]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { out, err: err.slice(0, 2000), end: code ?? signal };
}

describe.skipIf(!existsSync(MAIN))(`${ROWS} rows in a heap of ${HEAP_MB} MB`, { timeout: PATIENCE_MS }, () => {
  beforeAll(async () => {
    const pad = 'x'.repeat(100);
    await write('rows.jsonl', (k) => (k < 0 ? '' : `{"id":"r${k}","n":${k},"a":"${k}${pad}","b":{"c":[${k},${k}]}}\n`));
    await write('rows.csv', (k) => (k < 0 ? 'id,n,a\n' : `r${k},${k},${k}${pad}\n`));
    const scorers = 'tier2_scorers: [{ id: n, expr: candidate.n }]\n';
    const parquet = (name: string, count: number, rowGroupSize: number): void => {
      const rows = Array.from({ length: count }, (_, k) => k);
      const columnData: ColumnSource[] = [
        { name: 'id', data: rows.map((k) => `r${k}`), type: 'STRING' },
        { name: 'n', data: rows, type: 'INT32' },
        { name: 'a', data: rows.map((k) => `${k}${pad}`), type: 'STRING' },
      ];
      writeFileSync(join(folder, name), new Uint8Array(parquetWriteBuffer({ columnData, rowGroupSize })));
    };
    parquet('rows.parquet', ROWS, 25_000);
    parquet('whole.parquet', 2 * ROWS, 2 * ROWS);
    const json: ColumnSource = {
      name: 'b',
      data: Array.from({ length: 2 * ROWS }, (_, k) => ({ c: `${k}${pad}` })),
      type: 'JSON',
    };
    writeFileSync(
      join(folder, 'json.parquet'),
      new Uint8Array(parquetWriteBuffer({ columnData: [json], rowGroupSize: 2 * ROWS })),
    );
    writeFileSync(
      join(folder, 'first.yaml'),
      'tier2_scorers: [{ id: n, expr: size(candidate.b.c) }]\nselect: { top: 3 }\n',
    );
    writeFileSync(join(folder, 'top.yaml'), `${scorers}select: { top: 3 }\n`);
    writeFileSync(join(folder, 'all.yaml'), scorers);
    writeFileSync(join(folder, 'set.yaml'), `${scorers}select: { top: 3, duplicates: candidate.a }\n`);
  }, PATIENCE_MS);

  test.each(['rows.jsonl', 'rows.csv', 'rows.parquet'])(
    'ranks %s without --workers, as a table and as lines',
    async (file) => {
      for (const args of [['top.yaml'], ['all.yaml', '--top', '3']]) {
        // oxlint-disable-next-line no-await-in-loop -- one process after another
        const found = await assize('rank', '-p', `./${args[0]}`, '-f', 'jsonl', ...args.slice(1), file);
        expect(found).toMatchObject({ end: 0, err: '' });
        expect(found.out.split('\n').map((line) => /"id":"(r\d+)"/.exec(line)?.[1])).toEqual([
          `r${ROWS - 1}`,
          `r${ROWS - 2}`,
          `r${ROWS - 3}`,
          undefined,
        ]);
      }
    },
  );

  test.each([
    ['rank', '-p', './set.yaml', 'rows.jsonl'],
    ['rank', '-p', './all.yaml', 'rows.csv'],
    ['rank', '-p', './all.yaml', 'rows.parquet'],
    ['rank', '-p', './set.yaml', 'rows.parquet'],
    ['rank', '-p', './top.yaml', '-f', 'json', 'rows.jsonl'],
  ])('rejects data that must be in memory and does not fit: %s %s %s %s', async (...args) => {
    const { out, err, end } = await assize(...args);
    expect([out, end]).toEqual(['', 1]);
    expect(err).toMatch(/error ASZ113 the candidates of rows\.\w+ do not fit into memory: the first [\d,]+ take/);
    expect(err).toContain('--max-old-space-size');
  });

  test('ranks a row group of Parquet that does not fit as a whole, because DuckDB reads its texts in parts', async () => {
    const { out, err, end } = await assize('rank', '-p', './top.yaml', '-f', 'jsonl', 'whole.parquet');
    expect({ err, end }).toEqual({ err: '', end: 0 });
    expect(out).toContain(`"id":"r${2 * ROWS - 1}"`);
  });

  test('rejects a row group of Parquet with JSON that does not fit', async () => {
    const { out, err, end } = await assize('rank', '-p', './first.yaml', 'json.parquet');
    expect([out, end]).toEqual(['', 1]);
    expect(err).toMatch(
      /error ASZ113 row group 1 of json\.parquet, of 500,000 rows, does not fit into memory: reading/,
    );
    expect(err).toContain('smaller row groups');
  });
});
