import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createPipeline, type ProfileInput, rankFile, type TopRanking } from 'assize';
import {
  duckDbEngine,
  type PostgresClient,
  postgresEngine,
  rankWith,
  type SqlEngine,
  type TableOptions,
} from 'assize/sql';
import { topOfRanking } from '../../../src/pipeline/top-ranking.js';
import { films } from '../../demo/films.js';
import { hasPostgres } from '../../machine/postgres.js';
import { postgresDatabases } from '../../machine/postgres-databases.js';
import { CONTEXT } from './arbitraries.js';
import { closing, digest } from './digest.js';
import {
  MIXED_PROFILE,
  mixedRows,
  ROWS,
  typedQuery,
  type TypedRow,
  typedRows,
  TYPED_PROFILE,
  withMinScore,
  writeLines,
  writeParquet,
} from './generated-rows.js';
import { temporaryFolder } from '../../temporary-folder.js';

const folder = temporaryFolder('assize-engines-');
const file = (name: string): string => join(folder, name);
const databases = postgresDatabases();

type Ways = Readonly<Record<string, () => Promise<TopRanking<object>>>>;

/** Ranks in every way, and compares the digests of all with that of the first. */
async function compare(ways: Ways): Promise<void> {
  const digests: Record<string, string> = {};
  for (const [name, rank] of Object.entries(ways)) {
    const start = performance.now();
    // oxlint-disable-next-line no-await-in-loop -- one after another
    const ranking = await rank();
    digests[name] = digest(ranking);
    if (process.env['ROWS'])
      console.log(name, digests[name], `${Math.round(performance.now() - start)} ms`, ranking.counts);
    expect(ranking.notices.filter((notice) => notice.includes('scores every row'))).toEqual([]);
  }
  const [first] = Object.values(digests);
  expect(digests).toEqual(Object.fromEntries(Object.keys(digests).map((name) => [name, first])));
}

const TABLE = 'id bigint PRIMARY KEY, a float8, n int8, s text, t text, f boolean, b jsonb, m jsonb';
const BATCH = 5000;

/** Fills a table; numbers are strings, since JSON has neither NaN nor −0. */
async function fill(to: PostgresClient, table: string, rows: Iterable<Pick<TypedRow, 'a'>>): Promise<void> {
  await to.query(`CREATE TABLE ${table} (${TABLE})`);
  const insert = async (some: readonly Pick<TypedRow, 'a'>[]): Promise<unknown> =>
    to.query(
      `INSERT INTO ${table} SELECT (j->>'id')::int8, (j->>'a')::float8, (j->>'n')::int8, j->>'s', j->>'t', (j->>'f')::boolean, j->'b', j->'m'
       FROM jsonb_array_elements($1::jsonb) AS j`,
      [
        JSON.stringify(
          some.map((row) => {
            return { ...row, a: row.a === null ? null : Object.is(row.a, -0) ? '-0' : String(row.a) };
          }),
        ),
      ],
    );
  let batch: Pick<TypedRow, 'a'>[] = [];
  for (const row of rows) {
    if (batch.push(row) < BATCH) continue;
    // oxlint-disable-next-line no-await-in-loop -- in memory for one
    await insert(batch);
    batch = [];
  }
  await insert(batch);
}

const by = async (
  opening: Promise<SqlEngine>,
  profile: ProfileInput | string,
  context: object,
): Promise<TopRanking<object>> => {
  const engine = await opening;
  return closing(engine, rankWith(profile, engine, { ...context }));
};

const inDatabases = (table: TableOptions, profile: ProfileInput | string, context: object): Ways =>
  Object.fromEntries(
    [...databases].map(([name, client]) => [name, () => by(postgresEngine(client, table), profile, context)]),
  );

describe(`${ROWS} rows rank the same in every engine${hasPostgres() ? '' : ' except PostgreSQL, which is skipped'}`, () => {
  test('with one type per column: NaN, infinities, −0, huge and absent values, thresholds met to the last bit', async () => {
    expect.hasAssertions();
    const lines = file('typed.jsonl');
    await writeLines(lines, typedRows(ROWS), true);
    await writeParquet(file('typed.parquet'), typedQuery(lines));
    const profile = await withMinScore(TYPED_PROFILE, typedRows(ROWS));
    const pipeline = await createPipeline<object>(profile);
    // oxlint-disable-next-line no-await-in-loop -- one after another
    for (const database of databases.values()) await fill(database, 'typed', typedRows(ROWS));
    const table = { table: 'typed', orderBy: 'id' };
    await compare({
      process: () => pipeline.rankStream(typedRows(ROWS), CONTEXT),
      columns: () => rankFile(profile, file('typed.parquet'), CONTEXT),
      'DuckDB, Parquet': () => by(duckDbEngine([file('typed.parquet')]), profile, CONTEXT),
      ...inDatabases(table, profile, CONTEXT),
    });
  }, 3_600_000);

  test('with any types, as in JSON', async () => {
    expect.hasAssertions();
    const lines = file('mixed.jsonl');
    await writeLines(lines, mixedRows(ROWS));
    const profile = await withMinScore(MIXED_PROFILE, mixedRows(ROWS));
    const pipeline = await createPipeline<object>(profile);
    // oxlint-disable-next-line no-await-in-loop -- one after another
    for (const database of databases.values()) await fill(database, 'mixed', mixedRows(ROWS));
    const table = { table: 'mixed', orderBy: 'id' };
    await compare({
      process: () => pipeline.rankStream(mixedRows(ROWS), CONTEXT),
      file: () => rankFile(profile, lines, CONTEXT, { workers: 1 }),
      'two threads': () => rankFile(profile, lines, CONTEXT, { workers: 2 }),
      'DuckDB, JSON Lines': () => by(duckDbEngine([lines]), profile, CONTEXT),
      ...inDatabases(table, profile, CONTEXT),
    });
  }, 3_600_000);

  test('and the films of the demo, with a scale that needs all kept candidates', async () => {
    expect.hasAssertions();
    const profile = join(import.meta.dirname, '../../../config/demo/movies.yaml');
    const context = { now: '2011-01-01' };
    const lines = file('films.jsonl');
    await writeLines(lines, films());
    await writeParquet(file('films.parquet'), `SELECT * FROM read_json('${lines}', format = 'newline_delimited')`);
    const pipeline = await createPipeline<object>(profile);
    const fillFilms = async (to: PostgresClient): Promise<void> => {
      await to.query(
        'CREATE TABLE films (nr int PRIMARY KEY, id text, released text, "IMDB Votes" int, "IMDB Rating" float8, "Rotten Tomatoes Rating" float8, "Running Time min" float8, "Major Genre" text, "Source" text, "Worldwide Gross" float8, "Production Budget" float8, "US DVD Sales" float8)',
      );
      await to.query('INSERT INTO films SELECT * FROM jsonb_populate_recordset(NULL::films, $1::jsonb)', [
        JSON.stringify(films().map((film, nr) => ({ ...film, nr }))),
      ]);
    };
    for (const database of databases.values()) await fillFilms(database); // oxlint-disable-line no-await-in-loop
    const table = { table: 'films', orderBy: 'nr' };
    await compare({
      process: async () => topOfRanking(await pipeline.rank(films(), context)),
      columns: () => rankFile(profile, file('films.parquet'), context),
      'DuckDB, JSON Lines': () => by(duckDbEngine([lines]), profile, context),
      'DuckDB, Parquet': () => by(duckDbEngine([file('films.parquet')]), profile, context),
      ...inDatabases(table, profile, context),
    });
  });
});
