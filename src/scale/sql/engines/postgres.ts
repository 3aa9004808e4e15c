import { checkOptions, toError } from '../../../base/index.js';
import { reportRowsRead } from '../../../data/node.js';
import { hasParts, type OptionalPackage, rethrow } from '../../../services/index.js';
import { type Column, fail } from '../dialect.js';
import { postgres } from '../dialects.js';
import { checkNeeded, type Relation, TABLE_OPTIONS, tableName, type TableOptions, tableRelation } from '../relation.js';
import { toPrefilterRow } from '../prefilter-rows.js';
import { followStatement, loadPackage, type SqlEngine, stopOnAbort } from './engine.js';

type Pg = typeof import('pg');

const packageFor = (neededBy: string): OptionalPackage<Pg> => ({
  name: 'pg',
  neededBy,
  part: 'Client',
  isLibrary: hasParts<Pg>('default'),
});

/** A connection that is closed by its user. */
export interface PostgresConnection extends PostgresClient {
  end(): Promise<void>;
}

/**
 * Connects to a server.
 *
 * @param neededBy for the message that the package is missing
 * @throws AssizeError if the package is missing (ASZ565), or the server cannot be reached (ASZ568)
 */
export async function connectPostgres(url: string, neededBy: string): Promise<PostgresConnection> {
  const library = await loadPackage(packageFor(neededBy), () => import('pg').catch(rethrow));
  const client = clientOf(library, url);
  client.on('error', () => {}); // the pending query fails with the same error
  try {
    await client.connect();
    return client;
  } catch (error) {
    const { host, port, database } = client;
    const message = `PostgreSQL at ${host}:${port}/${database} cannot be reached: ${toError(error).message}`;
    return fail('ASZ568', message, undefined, error);
  }
}

/** @throws AssizeError (ASZ568) if the address is not valid. It does not show the address, which may have a password. */
function clientOf(library: typeof import('pg'), url: string): InstanceType<typeof import('pg')['default']['Client']> {
  try {
    return new library.default.Client({ connectionString: url });
  } catch {
    const hint = 'write postgres://user@host:port/database, and a # in a password as %23';
    return fail('ASZ568', 'the address of PostgreSQL is not a valid URL', hint);
  }
}

/**
 * Opens a table of a PostgreSQL server.
 *
 * @param url `postgres://user@host/database`
 * @throws AssizeError if the package is missing (ASZ565), if the server cannot be reached (ASZ568), and as
 *   `postgresEngine` does
 */
export async function postgresServer(url: string, table: TableOptions): Promise<SqlEngine> {
  const client = await connectPostgres(url, 'the engine postgres');
  try {
    const [{ pid }] = (await client.query('SELECT pg_backend_pid() AS pid')).rows as [{ pid: number }];
    const cancel = async (): Promise<void> => {
      const other = await connectPostgres(url, 'the engine postgres'); // the first connection is busy
      try {
        await other.query('SELECT pg_cancel_backend($1)', [pid]);
      } finally {
        await other.end();
      }
    };
    return await postgresEngine(client, table, () => client.end(), cancel);
  } catch (error) {
    await client.end();
    throw error;
  }
}

/**
 * Opens a table over an open connection: a connected client of `pg`, or PGlite. All reads use one snapshot.
 *
 * @param close  called when the engine is closed
 * @param cancel stops the running statement; without it, an aborted statement runs to its end
 * @throws AssizeError if the table or column does not exist (ASZ569), or if the column does not order the rows (ASZ570)
 */
export async function postgresEngine(
  client: PostgresClient,
  options: TableOptions,
  close: () => Promise<void> = async () => {},
  cancel: () => Promise<void> = async () => {},
): Promise<SqlEngine> {
  checkOptions('postgresEngine', options, TABLE_OPTIONS);
  checkNeeded('postgresEngine', options, ['table', 'orderBy']);
  const { table, orderBy } = options;
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const rollback = async (): Promise<void> => void (await client.query('ROLLBACK').catch(() => {}));
  const relation = await orderedTable(client, { table, orderBy }).catch(async (error: unknown) => {
    await rollback(); // the caller owns the connection
    throw error;
  });
  let cursors = 0;
  return {
    dialect: postgres,
    subject: `table ${table}`,
    relation: async () => relation,
    async sieve(sql, abort, progress) {
      await client.query('SAVEPOINT prefilter'); // keeps the snapshot if the statement fails
      const stop = (): Promise<void> => cancel().catch(() => {}); // then the statement runs to its end
      try {
        const task = `querying table ${table} with postgres`;
        const answer = await stopOnAbort(abort, stop, () => followStatement(task, () => client.query(sql), progress));
        return answer.rows.map(toPrefilterRow);
      } catch (error) {
        await client.query('ROLLBACK TO SAVEPOINT prefilter');
        throw error;
      }
    },
    async *stream(sql, abort) {
      await client.query('SAVEPOINT prefilter');
      const stop = (): Promise<void> => cancel().catch(() => {});
      const fetches = fetchAll(client, `groups_${(cursors += 1)}`, sql, (fetch) => stopOnAbort(abort, stop, fetch));
      try {
        for await (const rows of fetches) yield rows.map(toPrefilterRow);
      } catch (error) {
        await client.query('ROLLBACK TO SAVEPOINT prefilter');
        throw error;
      }
    },
    async *candidates(_, progress) {
      const chunks = rowsOf(client, `candidates_${(cursors += 1)}`, relation);
      const total = progress && (await countRows(client, table));
      yield* reportRowsRead(`reading table ${table}`, chunks, progress, total);
    },
    async close() {
      await rollback();
      await close();
    },
  };
}

/**
 * The part of a connection that the engine uses: a client of `pg`, or PGlite. It must be one connection, not a pool,
 * because all reads use one snapshot.
 */
export interface PostgresClient {
  query(sql: string, values?: unknown[]): Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>;
}

/** The number of rows per read, if the process evaluates all. */
const FETCH = 1024;

/** The rows of a table in the order of a column. */
async function orderedTable(client: PostgresClient, { table, orderBy }: TableOptions): Promise<Relation> {
  const name = tableName(postgres, table);
  await client.query('SET LOCAL extra_float_digits = 1');
  const relation = tableRelation(postgres, { table, orderBy }, await columnsOf(client, table, name));
  await checkOrder(client, table, name, orderBy);
  return relation;
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

/**
 * Checks that a column orders the rows: with NULL or duplicate values, ties and positions would be arbitrary. A unique
 * index proves it; otherwise the values are counted.
 */
async function checkOrder(client: PostgresClient, table: string, name: string, orderBy: string): Promise<void> {
  const indexes = await client.query(
    'SELECT 1 FROM pg_index AS i JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0] ' +
      'WHERE i.indrelid = CAST($1 AS regclass) AND a.attname = $2 AND a.attnotnull ' +
      'AND i.indisunique AND i.indisvalid AND i.indpred IS NULL AND i.indnkeyatts = 1',
    [name, orderBy],
  );
  if (indexes.rows.length > 0) return;
  const order = postgres.identifier(orderBy);
  const { rows } = await client
    .query(`SELECT count(*) AS many, count(DISTINCT ${order}) AS different FROM ${name}`)
    .catch((error: unknown) =>
      fail('ASZ570', `${orderBy} does not order the rows of ${table}: ${toError(error).message}`),
    );
  const [many, different] = [Number(rows[0]?.['many']), Number(rows[0]?.['different'])];
  if (many === different) return;
  const message = `${orderBy} does not order the rows of ${table}: ${many} rows have ${different} different values`;
  fail('ASZ570', message, 'use a column with unique values and without NULL, such as a primary key');
}

async function countRows(client: PostgresClient, table: string): Promise<number> {
  const { rows } = await client.query(`SELECT count(*) AS many FROM ${tableName(postgres, table)}`);
  return Number(rows[0]?.['many']);
}

/** The rows in order, in chunks. */
async function* rowsOf(client: PostgresClient, cursor: string, relation: Relation): AsyncGenerator<readonly object[]> {
  const { cells, decode } = relation;
  const sql = `SELECT cells FROM (${cells}) AS given ORDER BY k`;
  for await (const rows of fetchAll(client, cursor, sql)) yield rows.map((row) => decode(String(row['cells'])));
}

type Answer = Awaited<ReturnType<PostgresClient['query']>>;

/**
 * The rows of a statement, in chunks.
 *
 * @param cursor a name that is unique on this connection
 * @param each   runs each query
 */
async function* fetchAll(
  client: PostgresClient,
  cursor: string,
  sql: string,
  each: (query: () => Promise<Answer>) => Promise<Answer> = (query) => query(),
): AsyncGenerator<Answer['rows']> {
  await each(() => client.query(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${sql}`));
  try {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- one chunk in memory
      const { rows } = await each(() => client.query(`FETCH ${FETCH} FROM ${cursor}`));
      if (rows.length === 0) return;
      yield rows;
    }
  } finally {
    await client.query(`CLOSE ${cursor}`).catch(() => {}); // a lost connection has no cursor
  }
}
