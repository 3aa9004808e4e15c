import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AssizeError, createPipeline, type ProfileInput } from 'assize';
import { postgresEngine, postgresServer, rankWith } from 'assize/sql';
import { eventually } from '../../eventually.js';
import { hasPostgres, startPostgres, type TestPostgres } from '../../machine/postgres.js';
import { promised } from './digest.js';

const PROFILE: ProfileInput = {
  name: 'shop',
  tier1_scorers: [
    { id: 'hidden', expr: 'candidate["is ""hidden"]'.replaceAll('""', '\\"') },
    { id: 'named', expr: `candidate.name == "it's; DROP TABLE \\"shop\\"; --\\\\"` },
  ],
  tier2_scorers: [
    { id: 'price', expr: '1 / (1 + ln(candidate.price + 1))', weight: 2 },
    { id: 'fresh', class: 'DecayScorer', params: { field: 'made', curve: { type: 'exponential', half_life: '30d' } } },
    { id: 'rated', expr: 'candidate.more.rating / 5', on_absent: 0.5 },
  ],
  select: { top: 20, min_score: 0.2 },
};

const HOSTILE = [`it's; DROP TABLE "shop"; --\\`, "'", '\\', '$1', '%s', 'plain', '😀', ''];

const error = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => '',
    (thrown: unknown) =>
      thrown instanceof AssizeError
        ? thrown.problems.map(({ code, message }) => `${code} ${message}`).join('\n')
        : String(thrown),
  );

describe.skipIf(!hasPostgres())('a PostgreSQL server (skipped if there is none)', () => {
  let server: TestPostgres;
  let client: Client;
  beforeAll(async () => {
    server = await startPostgres();
    client = new Client({ connectionString: server.url });
    await client.connect();
    await client.query('CREATE SCHEMA "the shop"');
    await client.query(
      'CREATE TABLE "the shop"."of ""things" (id int PRIMARY KEY, name varchar(80), price numeric(12, 3), made timestamptz, "is ""hidden" boolean, more json, tags text[], tie int)',
    );
    await client.query(
      `INSERT INTO "the shop"."of ""things"
       SELECT i, ($1::text[])[1 + i % $2], CASE WHEN i % 11 = 0 THEN NULL ELSE i % 97 + 0.125 END, timestamptz '2026-01-01 00:00:00.123456Z' - i * interval '1 hour',
              i % 13 = 0, json_build_object('rating', CASE WHEN i % 7 = 0 THEN to_json('five'::text) ELSE to_json(i % 6) END), ARRAY['a', 'b"c'], 0
       FROM generate_series(1, 5000) AS i`,
      [HOSTILE, HOSTILE.length],
    );
  });
  afterAll(async () => {
    await client?.end();
    server?.stop();
  });

  test('ranks a table like one process ranks its rows', async () => {
    const { rows } = await client.query<Record<string, unknown>>(
      'SELECT *, price::float8 AS price FROM "the shop"."of ""things" ORDER BY id',
    );
    const table = { table: 'the shop.of "things', orderBy: 'id' };
    const context = { now: '2026-01-02' };
    const engine = await postgresServer(server.url, table);
    try {
      const ranking = await rankWith(PROFILE, engine, context);
      expect(ranking.notices).toEqual([]);
      const pipeline = await createPipeline<object>(PROFILE);
      expect(promised(ranking)).toEqual(promised(await pipeline.rankStream(rows, context)));
      expect(ranking.selected[0]?.candidate).toMatchObject({ tags: ['a', 'b"c'], made: expect.any(Date) });
    } finally {
      await engine.close();
    }
  });

  test('reports missing tables and columns', async () => {
    const open = (table: string, orderBy: string) => error(postgresServer(server.url, { table, orderBy }));
    expect(await open('nothing', 'id')).toMatch(
      /^ASZ569 the table nothing cannot be read: relation "nothing" does not exist/,
    );
    expect(await open('the shop.of "things', 'nr')).toMatch(/^ASZ569 .* has no column nr to order its rows by/);
    expect(await open('the shop.of "things', 'tie')).toMatch(
      /^ASZ570 tie does not order the rows of .*: 5000 rows have 1 different values/,
    );
    expect(await open('the shop.of "things', 'more')).toMatch(
      /^ASZ570 more does not order the rows of .*: could not identify an equality operator for type json/,
    );
  });

  test('a failing statement is replaced by the process, with a note', async () => {
    const engine = await postgresServer(server.url, { table: 'the shop.of "things', orderBy: 'id' });
    try {
      const failing = { ...engine, sieve: async () => engine.sieve('SELECT 1 / 0') };
      const ranking = await rankWith(PROFILE, failing, { now: '2026-01-02' });
      expect(ranking.notices).toEqual([
        'the process scores every row, since the statement failed in postgres: division by zero',
      ]);
      expect(ranking.counts.given).toBe(5000);
    } finally {
      await engine.close();
    }
  });

  test('an engine can rank repeatedly, also by the process', async () => {
    const engine = await postgresServer(server.url, { table: 'the shop.of "things', orderBy: 'id' });
    const profile: ProfileInput = {
      name: 'lists',
      tier2_scorers: [{ id: 'tagged', expr: 'candidate.tags.exists(tag, tag == "a") ? candidate.id / 5000 : 0.0' }],
      select: { top: 1 },
    };
    try {
      const rank = async (): Promise<unknown> => (await rankWith(profile, engine)).selected.map(({ id }) => id);
      expect([await rank(), await rank()]).toEqual([['5000'], ['5000']]);
    } finally {
      await engine.close();
    }
  });

  test("a caller's connection is unchanged if the table does not exist", async () => {
    expect(await error(postgresEngine(client, { table: 'nothing', orderBy: 'id' }))).toMatch(/^ASZ569/);
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  test('an aborted statement is stopped', async () => {
    const engine = await postgresServer(server.url, { table: 'the shop.of "things', orderBy: 'id' });
    const abort = new AbortController();
    const endless = (): Promise<unknown> => engine.sieve('SELECT pg_sleep(3600)', abort.signal);
    try {
      const running = error(endless());
      await eventually(async () => {
        const { rows } = await client.query("SELECT 1 FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(3600)'");
        expect(rows).toHaveLength(1);
      });
      abort.abort(new Error('enough'));
      expect(await running).toContain('canceling statement due to user request');
      expect(await error(endless())).toContain('enough');
    } finally {
      await engine.close();
    }
  });
});
