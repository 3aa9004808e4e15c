import { toError } from '../../../base/index.js';
import {
  groupText,
  checkKeyType,
  keyTypeOf,
  type KeyType,
  numberText,
  type OutputCell,
  type OutputColumn,
  type TableBatch,
  type TableWriter,
} from '../../../data/index.js';
import { fail } from '../dialect.js';
import { postgres } from '../dialects.js';
import { tableName } from '../relation.js';
import { connectPostgres, type PostgresConnection } from './postgres.js';

/** A table of a PostgreSQL server. */
export interface PostgresTable {
  /** `postgres://user@host/database` */
  readonly url: string;
  /** The name, optionally with a schema. */
  readonly table: string;
  /** Whether to replace an existing table. */
  readonly replace: boolean;
}

/** Whether a database is a server of PostgreSQL, not a file. */
export const isPostgresUrl = (database: string): boolean => /^postgres(ql)?:\/\//i.test(database);

/** The address of a server without the user and the password. */
export function serverName(url: string): string {
  if (!URL.canParse(url)) return 'PostgreSQL';
  const { host, pathname } = new URL(url);
  return `postgres://${host}${pathname}`;
}

/** @throws AssizeError if the table exists and is not to be replaced (ASZ604), or the server cannot be reached (ASZ568) */
export async function checkPostgresTable(target: PostgresTable): Promise<void> {
  const client = await connectPostgres(target.url, NEEDED_BY);
  try {
    await refuseExisting(client, target);
  } finally {
    await client.end();
  }
}

const NEEDED_BY = 'a table of PostgreSQL (--into)';

async function exists(client: PostgresConnection, { table }: PostgresTable): Promise<boolean> {
  const { rows } = await client.query('SELECT to_regclass($1) IS NOT NULL AS found', [tableName(postgres, table)]);
  return rows[0]?.['found'] === true;
}

async function refuseExisting(client: PostgresConnection, target: PostgresTable): Promise<void> {
  if (target.replace || !(await exists(client, target))) return;
  fail('ASZ604', `the table ${target.table} of ${serverName(target.url)} already exists`, 'pass --replace');
}

const TYPES = { text: 'text', integer: 'integer', number: 'double precision' } as const;

const KEY_TYPES: Readonly<Record<KeyType, string>> = {
  STRING: 'text',
  DOUBLE: 'double precision',
  INT64: 'bigint',
  BOOLEAN: 'boolean',
  TIMESTAMP: 'timestamp with time zone',
};

/**
 * Writes a table of PostgreSQL batch by batch, in one transaction. The table gets its name at the end; until then, other
 * connections see the earlier table. The type of the column of groups is that of its first values, as in Parquet.
 */
export class PostgresTableWriter implements TableWriter {
  #isCreated = false;
  #keyType: KeyType = 'STRING';

  private constructor(
    private readonly client: PostgresConnection,
    private readonly target: PostgresTable,
    private readonly columns: readonly OutputColumn[],
  ) {}

  /** @throws AssizeError as `checkPostgresTable` does */
  static async open(target: PostgresTable, columns: readonly OutputColumn[]): Promise<PostgresTableWriter> {
    const client = await connectPostgres(target.url, NEEDED_BY);
    await client.query('BEGIN');
    return new PostgresTableWriter(client, target, columns);
  }

  async write(batch: TableBatch): Promise<void> {
    if (!this.#isCreated) await this.#create(batch);
    if (batch.length === 0) return;
    const types = this.columns.map((column, k) => `CAST($${k + 1} AS ${this.#typeOf(column)}[])`);
    const values = batch.cells.map((cells, k) =>
      Array.from({ length: batch.length }, (_, row) => this.#textOf(cells.at(row), this.columns[k]!)),
    );
    await this.#query(`INSERT INTO ${this.#temporary} SELECT * FROM unnest(${types.join(', ')})`, values);
  }

  /** @param comment the comment of the table */
  async end(comment = ''): Promise<void> {
    if (!this.#isCreated) await this.#create(undefined);
    await refuseExisting(this.client, this.target);
    const name = tableName(postgres, this.target.table);
    if (this.target.replace) await this.#query(`DROP TABLE IF EXISTS ${name}`);
    await this.#query(`ALTER TABLE ${this.#temporary} RENAME TO ${postgres.identifier(this.#path.at(-1)!)}`);
    await this.#query(`COMMENT ON TABLE ${name} IS ${postgres.text(comment)}`);
    await this.#query('COMMIT');
    await this.client.end();
  }

  async abort(): Promise<void> {
    await this.client.query('ROLLBACK').catch(() => {}); // closing the connection rolls back, too
    await this.client.end();
  }

  get #path(): readonly string[] {
    return this.target.table.split('.');
  }

  /** A name in the same schema. */
  get #temporary(): string {
    const own = `assize_${process.pid}_new`;
    return tableName(postgres, [...this.#path.slice(0, -1), own].join('.'));
  }

  /** @param batch the first rows; undefined if the table has no rows */
  async #create(batch: TableBatch | undefined): Promise<void> {
    const key = this.columns.findIndex(({ type }) => type === 'key');
    if (key >= 0 && batch) this.#keyType = keyTypeOf(batch.list(key).values);
    const columns = this.columns.map((column) => `${postgres.identifier(column.name)} ${this.#typeOf(column)}`);
    await this.#query(`CREATE TABLE ${this.#temporary} (${columns.join(', ')})`);
    this.#isCreated = true;
  }

  #typeOf({ type }: OutputColumn): string {
    return type === 'key' ? KEY_TYPES[this.#keyType] : TYPES[type];
  }

  #textOf(cell: OutputCell, { type, name }: OutputColumn): string | null {
    if (cell === null) return null;
    if (type === 'key') checkKeyType(cell, this.#keyType, name, 'PostgreSQL');
    return typeof cell === 'number' ? numberText(cell) : groupText(cell);
  }

  async #query(sql: string, values?: unknown[]): Promise<void> {
    const { table, url } = this.target;
    await this.client.query(sql, values).catch((error: unknown) => {
      const message = `cannot write the table ${table} of ${serverName(url)}: ${toError(error).message}`;
      return fail('ASZ542', message, 'check the permissions and the schema', error);
    });
  }
}
