import { toError } from '../../diagnostics/index.js';
import type { Column } from '../dialects/dialect.js';
import { postgres } from '../dialects/postgres.js';
import { fail } from '../problems.js';
import type { Relation } from '../rows/relation.js';
import { type TableOptions, tableName, tableRelation } from '../rows/table.js';

/** What is used of a connection: a client of `pg`, or PGlite. One connection, since what it reads is one snapshot. */
export interface PostgresClient {
  query(sql: string, values?: unknown[]): Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>;
}

/** How many rows are read at a time, where the process judges all. */
const FETCH = 1024;

/** The rows of a table that can be ordered, and how many there are. */
export async function orderedTable(
  client: PostgresClient,
  { table, orderBy }: TableOptions,
): Promise<{ readonly relation: Relation; readonly count: number }> {
  const name = tableName(postgres, table);
  await client.query('SET LOCAL extra_float_digits = 1');
  const relation = tableRelation(postgres, { table, orderBy }, await columnsOf(client, table, name));
  return { relation, count: await countOrdered(client, table, name, orderBy) };
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
 * Counts the rows of a table that a column orders: without one whose values differ, ties and positions would be anybody's
 * guess.
 */
async function countOrdered(client: PostgresClient, table: string, name: string, orderBy: string): Promise<number> {
  const order = postgres.identifier(orderBy);
  const { rows } = await client
    .query(`SELECT count(*) AS many, count(DISTINCT ${order}) AS different FROM ${name}`)
    .catch((error: unknown) =>
      fail('ASZ570', `${orderBy} does not order the rows of ${table}: ${toError(error).message}`),
    );
  const [many, different] = [Number(rows[0]?.['many']), Number(rows[0]?.['different'])];
  if (many === different) return many;
  const message = `${orderBy} does not order the rows of ${table}: ${many} rows have ${different} different values`;
  return fail('ASZ570', message, 'a column without NULL in which no value is there twice does, such as a primary key');
}

/**
 * The rows in their order, some at a time.
 *
 * @param cursor a name that no other reading of this connection has
 */
export async function* rowsOf(
  client: PostgresClient,
  cursor: string,
  relation: Relation,
): AsyncGenerator<readonly object[]> {
  const { cells, decode } = relation;
  await client.query(`DECLARE ${cursor} NO SCROLL CURSOR FOR SELECT cells FROM (${cells}) AS given ORDER BY k`);
  try {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- in memory for one
      const { rows } = await client.query(`FETCH ${FETCH} FROM ${cursor}`);
      if (rows.length === 0) return;
      yield rows.map((row) => decode(String(row['cells'])));
    }
  } finally {
    await client.query(`CLOSE ${cursor}`).catch(() => {}); // where the connection is lost, so is the cursor
  }
}
