import { readFileSync, writeFileSync } from 'node:fs';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasPostgres, startPostgres, type TestPostgres } from '../machine/postgres.js';
import { adjacent, groupedRows, writeGrouped } from '../scale/sql/grouped-rows.js';
import { assize, inFolder } from './run-here.js';

const SHOP = `
name: shop
tier1_scorers: [{ id: sold, expr: candidate.sold }]
tier2_scorers:
  - { id: stars, expr: candidate.stars / 5, weight: 3 }
  - { id: known, expr: 'clamp(ln(candidate.votes + 1) / ln(1000.0), 0, 1)' }
select: { top: 3 }
`;
/** Grouped by their number; the rows of a shop are not adjacent. */
const ROWS = groupedRows(200).toSorted((a, b) => (a.number ?? 9) - (b.number ?? 9));

inFolder({
  'shop.yaml': SHOP,
  'rows.jsonl': ROWS.map((row) => `${JSON.stringify(row)}\n`).join(''),
  'queries.jsonl': [-2, -1, 0, 1, 2, null].map((id) => `${JSON.stringify({ id: String(id), k: 1 })}\n`).join(''),
});

const rank = (...args: readonly string[]) => assize(['rank', '-p', './shop.yaml', ...args]);
const byNumber = ['rows.jsonl', '--partition-by', 'number'];
const written = async (...args: readonly string[]): Promise<string> => {
  const { code, err } = await rank(...args, '-o', 'ranked.csv', '--replace');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return readFileSync('ranked.csv', 'utf8');
};

describe('assize rank --partition-by --engine duckdb', () => {
  it('writes the same table as without an engine', async () => {
    const expected = await written(...byNumber);
    expect(expected.split('\n')).toHaveLength(20);
    expect(await written(...byNumber, '--engine', 'duckdb')).toBe(expected);
    expect(JSON.parse(readFileSync('ranked.csv.manifest.json', 'utf8'))).toMatchObject({
      engine: 'duckdb',
      counts: { groups: 6, given: 200 },
    });
  });

  it('prints the same rankings', async () => {
    // oxlint-disable-next-line no-await-in-loop -- one after another
    for (const format of ['table', 'jsonl'])
      expect((await rank(...byNumber, '--format', format, '--engine', 'duckdb')).out).toBe(
        (await rank(...byNumber, '--format', format)).out, // oxlint-disable-line no-await-in-loop
      );
  });

  it('groups rows that are not adjacent', async () => {
    const { code, out } = await rank('rows.jsonl', '--partition-by', 'shop', '--engine', 'duckdb', '-o', 'shops.csv');
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('9 groups, 200 candidates') as string });
  });

  it('ranks groups of Parquet together, and writes the same table as without an engine', async () => {
    const many = groupedRows(3000).map((row) => ({ ...row, shop: `shop ${row.id % 40}` }));
    await writeGrouped(many, (ending) => `mixed.${ending}`);
    await writeGrouped(adjacent(many, 'shop'), (ending) => `sorted.${ending}`);
    const own = ['--partition-by', 'shop', '-o', 'table.csv', '--replace'];
    const table = async (...args: readonly string[]): Promise<string> => {
      const { code, err } = await rank(...args, ...own);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      return readFileSync('table.csv', 'utf8');
    };
    const expected = await table('sorted.parquet');
    expect(expected.split('\n')).toHaveLength(122);
    expect(await table('sorted.parquet', '--engine', 'duckdb')).toBe(expected);
    expect(await table('mixed.parquet', '--engine', 'duckdb')).toBe(expected);
  });

  it.each([
    [['--all'], '--all writes every row'],
    [['--queries', 'queries.jsonl'], 'the context differs between groups'],
    [['--context-from', 'title'], 'the context differs between groups'],
  ])('ranks all rows in the process with %s, and says so', async (options, reason) => {
    const { code, err } = await rank(...byNumber, ...options, '--engine', 'duckdb', '-o', 'all.csv', '--replace');
    expect({ code, err }).toEqual({ code: 0, err: `the process ranks all rows of every group: ${reason}\n` });
    await rank(...byNumber, ...options, '-o', 'own.csv', '--replace');
    expect(readFileSync('all.csv', 'utf8')).toBe(readFileSync('own.csv', 'utf8'));
  });

  it.each([
    [['--engine', 'duckdb', '--sort'], '--sort cannot be combined with --engine'],
    [['--engine', 'duckdb', '--workers', '2'], 'remove --workers or --engine'],
    [['--engine', 'spark'], 'from assize_spark import rank'],
    [['--engine', 'postgres'], '--engine postgres://user@host/database --table films --order-by id'],
    [['--into', 'ranked', '--database', 'spark://host'], 'saveAsTable("ranked")'],
  ])('%s is refused with a way that works', async (options, message) => {
    const { code, err } = await rank(...byNumber, ...options);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  it('groups that SQL cannot compare must be adjacent, and the error names ways that work', async () => {
    writeFileSync('large.jsonl', [1.5, 2.5, 1.5, 1e300].map((g) => `${JSON.stringify({ g, stars: 1 })}\n`).join(''));
    const { code, err } = await rank('large.jsonl', '--partition-by', 'g', '--engine', 'duckdb', '-o', 'never.csv');
    expect(code).toBe(1);
    expect(err).toContain('ASZ536');
    expect(err).toContain('convert g to texts, or rank without the engine, with --sort');
  });

  it('an invalid address of a server is an error that does not show it', async () => {
    const into = ['--into', 'ranked', '--database', 'postgres://me:sec#ret@localhost:54x/db'];
    const { code, out, err } = await rank('rows.jsonl', '--partition-by', 'number', ...into);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('ASZ568 the address of PostgreSQL is not a valid URL');
    expect(err).not.toContain('ret@');
  });

  it('warns about a field that no row has, as without an engine', async () => {
    writeFileSync('misspelt.yaml', 'tier2_scorers: [{ id: stars, expr: candidate.star / 5, on_absent: 0.5 }]');
    for (const engine of [[], ['--engine', 'duckdb']]) {
      const args = [
        'rank',
        '-p',
        './misspelt.yaml',
        ...byNumber,
        ...engine,
        '--top',
        '1',
        '-o',
        'any.csv',
        '--replace',
      ];
      // oxlint-disable-next-line no-await-in-loop -- the same file
      const { code, err } = await assize(args);
      expect({ code, err: err.replaceAll(/\s+/g, ' ') }).toEqual({
        code: 0,
        err: expect.stringContaining('stars: no candidate has star') as string,
      });
    }
  });

  it('a misspelt group is an error with a suggestion', async () => {
    const { code, err } = await rank('rows.jsonl', '--partition-by', 'numbr', '--engine', 'duckdb');
    expect(code).toBe(1);
    expect(err).toContain('ASZ541 the group is numbr, of which no row of rows.jsonl has a value');
  });
});

describe.skipIf(!hasPostgres())('with a PostgreSQL server (skipped if it is not installed)', () => {
  let server: TestPostgres;
  let client: Client;
  beforeAll(async () => {
    server = await startPostgres();
    client = new Client({ connectionString: server.url });
    await client.connect();
    await client.query(
      'CREATE TABLE shops (nr int PRIMARY KEY, id text, shop text, number int8, share float8, sold boolean, made text, stars float8, votes int, title text)',
    );
    await client.query('INSERT INTO shops SELECT * FROM jsonb_populate_recordset(NULL::shops, $1::jsonb)', [
      JSON.stringify(ROWS.map((row, nr) => ({ ...row, nr }))),
    ]);
  });
  afterAll(async () => {
    await client?.end();
    server?.stop();
  });

  const fromTable = (): readonly string[] =>
    `--partition-by number --engine ${server.url} --table shops --order-by nr`.split(' ');

  it('writes the same table as from a file', async () => {
    expect(await written(...fromTable())).toBe(await written(...byNumber));
  });

  it('writes a table of the server, whose comment is the manifest', async () => {
    const into = ['--into', 'ranked', '--database', server.url];
    const { code, out, err } = await rank(...fromTable(), ...into);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^table ranked of postgres:\/\/127\.0\.0\.1:\d+\/postgres: 18 rows; 6 groups, 200 candidates/);
    const again = await rank(...byNumber, ...into);
    expect(again.code).toBe(1);
    expect(again.err).toMatch(
      /^error ASZ604 the table ranked of postgres:\/\/.* already exists\n {2}pass --replace\n$/,
    );
    expect((await rank(...byNumber, ...into, '--replace')).code).toBe(0);
    const { rows } = await client.query<Record<string, unknown>>(
      "SELECT number, id, rank, score, obj_description('ranked'::regclass) AS comment FROM ranked ORDER BY number NULLS LAST, rank",
    );
    const lines = (await written(...byNumber)).trim().split('\n').slice(1);
    const expected = lines
      .map((line) => line.split(','))
      .map(([number, id, , place, score]) => [number, id, place, score]);
    expect(rows.map((row) => [row['number'] ?? '', row['id'], String(row['rank']), String(row['score'])])).toEqual(
      expected,
    );
    expect(JSON.parse(String(rows[0]!['comment']))).toMatchObject({
      table: { table: 'ranked', rows: 18 },
      counts: { groups: 6 },
    });
  });

  it('keeps the earlier table if the ranking fails', async () => {
    const into = ['--into', 'kept', '--database', server.url, '--replace'];
    expect((await rank(...byNumber, ...into)).code).toBe(0);
    expect((await rank('rows.jsonl', '--partition-by', 'numbr', ...into)).code).toBe(1);
    const { rows } = await client.query("SELECT count(*)::int AS many FROM kept WHERE status = 'selected'");
    expect(rows).toEqual([{ many: 18 }]);
    const others = await client.query("SELECT 1 FROM pg_class WHERE relname LIKE 'assize%'");
    expect(others.rows).toEqual([]);
  });

  it('reports a schema that does not exist', async () => {
    const { code, err } = await rank(...byNumber, '--into', 'none.ranked', '--database', server.url);
    expect(code).toBe(1);
    expect(err).toContain('schema "none" does not exist');
  });
});
