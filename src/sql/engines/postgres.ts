import { toError } from '../../diagnostics/index.js';
import {
  importOptional,
  type OptionalPackage,
  OptionalPackageError,
  rethrow,
} from '../../services/optional-package.js';
import type { Column } from '../dialect.js';
import { postgres } from '../dialects/postgres.js';
import type { SqlEngine } from '../engine.js';
import { fail } from '../problems.js';
import type { Relation } from '../relation.js';
import { toSieveRow } from '../sieve-rows.js';
import { type TableOptions, tableName, tableRelation } from '../table.js';

/** What is used of a connection: a client of `pg`, or PGlite. One connection, since what it reads is one snapshot. */
export interface PostgresClient {
  query(sql: string, values?: unknown[]): Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>;
}

type Pg = typeof import('pg');

const PG: OptionalPackage<Pg> = {
  name: 'pg',
  neededBy: 'the engine postgres',
  part: 'Client',
  isLibrary: (module): module is Pg =>
    typeof module === 'object' && module !== null && ('Client' in module || 'default' in module),
};

/** How many rows are read at a time, where the process judges all. */
const FETCH = 1024;

/**
 * A table of a PostgreSQL server.
 *
 * @param url `postgres://user@host/database`
 * @throws AssizeError where the package is missing (ASZ565), nobody answers (ASZ568), and as `postgresEngine` does
 */
export async function postgresServer(url: string, table: TableOptions): Promise<SqlEngine> {
  const library = await importOptional(PG, () => import('pg').catch(rethrow)).catch((error: unknown) => {
    if (error instanceof OptionalPackageError) fail('ASZ565', error.message, undefined, error);
    throw error;
  });
  const client = new library.default.Client({ connectionString: url });
  client.on('error', () => {}); // the query that is waiting for it fails
  try {
    await client.connect();
  } catch (error) {
    const { host, port, database } = client;
    fail(
      'ASZ568',
      `PostgreSQL at ${host}:${port}/${database} cannot be reached: ${toError(error).message}`,
      undefined,
      error,
    );
  }
  try {
    return await postgresEngine(client, table, () => client.end());
  } catch (error) {
    await client.end();
    throw error;
  }
}

/**
 * A table, over a connection that is there: a client of `pg` that is connected, or a PGlite. It reads one snapshot.
 *
 * @param close called when the engine is closed
 * @throws AssizeError where there is no such table or column (ASZ569), or the order of the rows is not known (ASZ570)
 */
export async function postgresEngine(
  client: PostgresClient,
  { table, orderBy }: TableOptions,
  close: () => Promise<void> = async () => {},
): Promise<SqlEngine> {
  const name = tableName(postgres, table);
  const begin = async (): Promise<void> => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await client.query('SET LOCAL extra_float_digits = 1');
  };
  await begin();
  const columns = await columnsOf(client, table, name);
  const relation = tableRelation(postgres, { table, orderBy }, columns);
  await checkOrder(client, table, name, orderBy);
  return {
    dialect: postgres,
    subject: `table ${table}`,
    relation: async () => relation,
    async sieve(sql) {
      await client.query('SAVEPOINT sieve'); // a statement that fails leaves the snapshot as it is
      try {
        return (await client.query(sql)).rows.map(toSieveRow);
      } catch (error) {
        await client.query('ROLLBACK TO SAVEPOINT sieve');
        throw error;
      }
    },
    candidates: () => rowsOf(client, `SELECT cells FROM (${relation.cells}) AS given ORDER BY k`, relation),
    async close() {
      await client.query('ROLLBACK').catch(() => {});
      await close();
    },
  };
}

async function columnsOf(client: PostgresClient, table: string, name: string): Promise<readonly Column[]> {
  const { rows } = await client
    .query(
      'SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute ' +
        'WHERE attrelid = CAST($1 AS regclass) AND attnum > 0 AND NOT attisdropped ORDER BY attnum',
      [name],
    )
    .catch((error: unknown) => fail('ASZ569', `the table ${table} cannot be read: ${toError(error).message}`));
  return rows.map((row): Column => {
    const type = String(row['type']);
    return { name: String(row['name']), type, kind: postgres.kindOf(type) };
  });
}

/** A table has no order of its own: without a column whose values differ, ties and positions would be anybody's guess. */
async function checkOrder(client: PostgresClient, table: string, name: string, orderBy: string): Promise<void> {
  const order = postgres.identifier(orderBy);
  const { rows } = await client.query(`SELECT count(*) AS many, count(DISTINCT ${order}) AS different FROM ${name}`);
  const [many, different] = [Number(rows[0]?.['many']), Number(rows[0]?.['different'])];
  if (many === different) return;
  const message = `${orderBy} does not order the rows of ${table}: ${many} rows have ${different} different values`;
  fail('ASZ570', message, 'a column without NULL in which no value is there twice does, such as a primary key');
}

async function* rowsOf(client: PostgresClient, sql: string, { decode }: Relation): AsyncGenerator<readonly object[]> {
  await client.query(`DECLARE candidates NO SCROLL CURSOR FOR ${sql}`);
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- in memory for one
    const { rows } = await client.query(`FETCH ${FETCH} FROM candidates`);
    if (rows.length === 0) return;
    yield rows.map((row) => decode(String(row['cells'])));
  }
}
