import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import * as fc from 'fast-check';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { AssizeError, type ProfileInput } from 'assize';
import { duckDbEngine, postgresEngine, rankWith, translate } from 'assize/sql';
import { DIALECTS } from '../../../src/scale/sql/dialects.js';
import { closing } from './digest.js';
import { parseColumns } from '../../../src/scale/sql/relation.js';
import { temporaryFolder } from '../../temporary-folder.js';

const folder = temporaryFolder("assize-quo'ting-");

const HOSTILE = [
  "'",
  '"',
  '`',
  '\\',
  "\\'",
  "'); DROP TABLE rows; --",
  '$1',
  '$$',
  '%s',
  '/*',
  '--',
  '?',
  '\n',
  '😀',
  "E'",
  "'||'",
  'x~1/y',
  '$.a',
  '*',
  '"a":1',
  '{{',
  '${1}',
  'İ',
  '\u2028',
];

const text = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.array(fc.constantFrom(...HOSTILE), { maxLength: 4 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary' }),
);
/** Names that a statement itself uses. */
const OWN = ['k', 'c0', 'v0', 'd0', 'd', 'pos', 'verdict', 'score', 'error', 'cells', 'given', 'judged', 'nth'];
const key = fc
  .oneof(fc.constantFrom(...OWN), text)
  .filter((one) => one !== '' && !one.includes('\0') && Buffer.byteLength(one) < 60);

/** A profile that reads a hostile key, below another, and compares it with a hostile string. */
const profileOf = (name: string, value: string): ProfileInput => ({
  name: 'hostile',
  tier1_scorers: [
    { id: 'other', expr: `candidate[${JSON.stringify(name)}] != ${JSON.stringify(value)}`, on_absent: 'refuse' },
    {
      id: 'inside',
      expr: `candidate.inside[${JSON.stringify(name)}] != ${JSON.stringify(value)}`,
      on_absent: 'refuse',
    },
  ],
  tier2_scorers: [{ id: 'one', expr: '1' }],
  adjustments: [
    {
      id: 'table',
      multiply: { table: { [value === '' ? 'empty' : value]: 0.5 }, by: [`candidate[${JSON.stringify(name)}]`] },
    },
  ],
  select: { top: 5 },
});

describe('hostile names and strings', () => {
  test('are names and strings in DuckDB', async () => {
    const file = join(folder, "it's.jsonl");
    await fc.assert(
      fc.asyncProperty(key, text, async (name, value) => {
        fc.pre(name.toLowerCase() !== 'inside');
        const rows = [
          { [name]: value, inside: { [name]: value } },
          { [name]: `${value}x`, inside: {} },
          { inside: { [name]: value } },
        ];
        writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
        const engine = await duckDbEngine([file], { threads: 1 });
        const { counts } = await closing(engine, rankWith(profileOf(name, value), engine));
        expect(counts).toMatchObject({ given: 3, selected: 1, refused: 2 });
      }),
      { numRuns: 25 },
    );
  });

  test('are names and strings in PostgreSQL', async () => {
    const pglite = await PGlite.create();
    await fc.assert(
      fc.asyncProperty(key, text, async (name, value) => {
        fc.pre(
          name !== 'inside' &&
            name !== 'id' &&
            ![name, value].some((one) => one.includes('\0') || /\p{Surrogate}/u.test(one)),
        );
        const [table, column] = [name.replaceAll('.', '_'), name].map((one) => `"${one.replaceAll('"', '""')}"`);
        await pglite.exec(`CREATE TABLE ${table} (id int PRIMARY KEY, ${column} text, inside jsonb)`);
        await pglite.query(`INSERT INTO ${table} VALUES (1, $1, $2), (2, $1 || 'x', '{}'), (3, NULL, $2)`, [
          value,
          { [name]: value },
        ]);
        const engine = await postgresEngine(pglite, { table: name.replaceAll('.', '_'), orderBy: 'id' });
        const { counts, notices } = await closing(engine, rankWith(profileOf(name, value), engine));
        await pglite.exec(`DROP TABLE ${table}`);
        expect(notices).toEqual([]);
        expect(counts).toMatchObject({ given: 3, selected: 1, refused: 2 });
      }),
      { numRuns: 12 },
    );
    await pglite.close();
  });

  test('leave nothing outside a literal in Spark', () => {
    fc.assert(
      fc.property(
        text.filter((one) => !one.includes('\0') && !/\p{Surrogate}/u.test(one)),
        (value) => {
          const literal = DIALECTS.spark.text(value);
          const bytes = /^CAST\(X'([0-9a-f]*)' AS STRING\)$/.exec(literal)?.[1];
          if (bytes === undefined) expect(literal).toMatch(/^'[^'\\\n]*'$/);
          expect(bytes === undefined ? literal.slice(1, -1) : Buffer.from(bytes, 'hex').toString()).toBe(value);
        },
      ),
    );
  });
});

const problem = async (work: () => Promise<unknown>): Promise<string> => {
  try {
    await work();
    return 'nothing';
  } catch (thrown) {
    return thrown instanceof AssizeError
      ? thrown.problems.map(({ code, message }) => `${code} ${message}`).join('\n')
      : String(thrown);
  }
};

test('an aborted statement is stopped in DuckDB', async () => {
  const engine = await duckDbEngine([join(folder, 'any.jsonl')]);
  const abort = new AbortController();
  const endless = engine.sieve('SELECT count(*) FROM range(1000000000000) AS a, range(1000) AS b', abort.signal);
  abort.abort(); // whether it has begun or not
  await expect(closing(engine, endless)).rejects.toThrow(/interrupt/i);
});

describe('mistakes in a call', () => {
  const profile: ProfileInput = { name: 'p', tier2_scorers: [{ id: 'a', expr: 'candidate.a' }], select: { top: 1 } };
  const table = { table: 't', orderBy: 'id', columns: 'id bigint, a double' };

  test('files', async () => {
    expect(await problem(() => duckDbEngine([]))).toMatch(/^ASZ566 the engine duckdb has no file/);
    expect(await problem(() => duckDbEngine(['rows.xlsx']))).toMatch(
      /^ASZ566 rows.xlsx has no format that the engine duckdb reads/,
    );
    expect(await problem(() => duckDbEngine(['a.jsonl', 'b.parquet']))).toMatch(
      /^ASZ566 the files have different formats/,
    );
    expect(await problem(() => duckDbEngine(['*.jsonl']))).toMatch(/^ASZ566 \*.jsonl is a glob pattern for DuckDB/);
    const cased = join(folder, 'cased.parquet');
    const one = { type: 'DOUBLE' as const, data: [1] };
    const columnData = ['b', 'a', 'A'].map((name) => ({ name, ...one }));
    writeFileSync(cased, Buffer.from(parquetWriteBuffer({ columnData })));
    const inCases = await duckDbEngine([cased]);
    expect(await problem(() => closing(inCases, rankWith(profile, inCases)))).toMatch(
      /^ASZ567 DuckDB cannot distinguish the columns A and a/,
    );
    const missing = await duckDbEngine([join(folder, 'none.jsonl')]);
    expect(await problem(() => closing(missing, rankWith(profile, missing)))).toMatch(/^ASZ101 .*no such file/);
  });

  test('tables and columns', async () => {
    expect(await problem(() => translate(profile, 'spark', { ...table, orderBy: 'nr' }))).toMatch(
      /^ASZ569 the table t has no column nr/,
    );
    for (const columns of ['', 'id', 'id bigint,, a double', 'id bigint; DROP TABLE t'])
      expect(await problem(() => translate(profile, 'spark', { ...table, columns }))).toMatch(/^ASZ5(73|69)/);
    expect(
      parseColumns(DIALECTS.spark, 'id BIGINT,`a ``b` DECIMAL(10,2), "c ""d" STRUCT<a: INT, b: ARRAY<INT>>').map(
        ({ name, type }) => [name, type],
      ),
    ).toEqual([
      ['id', 'bigint'],
      ['a `b', 'decimal(10,2)'],
      ['c "d', 'STRUCT<a: INT, b: ARRAY<INT>>'],
    ]);
  });

  test('profiles and results', async () => {
    const everything = { ...profile, select: {} };
    expect(await problem(() => translate(everything, 'spark', table))).toMatch(
      /^ASZ571 there is no statement: .*every scored candidate is selected/,
    );
    const { finish } = await translate(profile, 'spark', table);
    expect(await problem(() => finish([]))).toMatch(/^ASZ572 the rows are not the result of this statement/);
    expect(await problem(() => finish([{ part: 'run', pos: 0, verdict: 0, many: 0, cells: '0 abc' }]))).toMatch(
      /^ASZ572/,
    );
    expect(await problem(() => finish([{ hello: 1 }]))).toMatch(/^ASZ572/);
  });
});
