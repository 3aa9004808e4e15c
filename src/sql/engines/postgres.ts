import { checkOptions, toError } from '../../diagnostics/index.js';
import { followRows } from '../../input/follow-rows.js';
import { type OptionalPackage, rethrow } from '../../services/optional-package.js';
import { postgres } from '../dialects/postgres.js';
import type { SqlEngine } from './engine.js';
import { followStatement } from './follow-statement.js';
import { fail } from '../problems.js';
import { toSieveRow } from '../statement/sieve-rows.js';
import { checkNeeded, TABLE_OPTIONS, type TableOptions } from '../rows/table.js';
import { loadPackage } from './load-package.js';
import { orderedTable, type PostgresClient, rowsOf } from './postgres-table.js';
import { stopOnAbort } from './stop-on-abort.js';

type Pg = typeof import('pg');

const PG: OptionalPackage<Pg> = {
  name: 'pg',
  neededBy: 'the engine postgres',
  part: 'Client',
  isLibrary: (module): module is Pg =>
    typeof module === 'object' && module !== null && ('Client' in module || 'default' in module),
};

/**
 * A table of a PostgreSQL server.
 *
 * @param url `postgres://user@host/database`
 * @throws AssizeError where the package is missing (ASZ565), nobody answers (ASZ568), and as `postgresEngine` does
 */
export async function postgresServer(url: string, table: TableOptions): Promise<SqlEngine> {
  const library = await loadPackage(PG, () => import('pg').catch(rethrow));
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
    const [{ pid }] = (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows as [{ pid: number }];
    const cancel = async (): Promise<void> => {
      const other = new library.default.Client({ connectionString: url }); // its own is busy
      other.on('error', () => {});
      try {
        await other.connect();
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
 * A table, over a connection that is there: a client of `pg` that is connected, or a PGlite. It reads one snapshot.
 *
 * @param close  called when the engine is closed
 * @param cancel ends the statement that runs; without it, one that is no longer wanted is waited for
 * @throws AssizeError where there is no such table or column (ASZ569), or the order of the rows is not known (ASZ570)
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
  const { relation, count } = await orderedTable(client, { table, orderBy }).catch(async (error: unknown) => {
    await rollback(); // the connection is somebody else's
    throw error;
  });
  let cursors = 0;
  return {
    dialect: postgres,
    subject: `table ${table}`,
    relation: async () => relation,
    async sieve(sql, abort, progress) {
      await client.query('SAVEPOINT sieve'); // a statement that fails leaves the snapshot as it is
      const stop = (): Promise<void> => cancel().catch(() => {}); // then it is waited for
      try {
        const task = `asking postgres about table ${table}`;
        const answer = await stopOnAbort(abort, stop, () => followStatement(task, () => client.query(sql), progress));
        return answer.rows.map(toSieveRow);
      } catch (error) {
        await client.query('ROLLBACK TO SAVEPOINT sieve');
        throw error;
      }
    },
    candidates: (_, progress) => {
      const chunks = rowsOf(client, `candidates_${(cursors += 1)}`, relation);
      return followRows(`reading table ${table}`, chunks, progress, count);
    },
    async close() {
      await rollback();
      await close();
    },
  };
}
