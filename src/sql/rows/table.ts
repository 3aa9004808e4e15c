import { type OptionTypes, STRING } from '../../diagnostics/index.js';
import type { Column, Dialect } from '../dialects/dialect.js';
import { fail } from '../problems.js';
import { readTable, type Relation } from './relation.js';
import { cellsOf, decodeCells } from './table-rows.js';

/** The rows of a table. */
export interface TableOptions {
  /** `films`, or with its schema: `shop.films`. */
  readonly table: string;
  /** The column that orders the rows: what is first among equal scores, and what a position counts. No value is there twice. */
  readonly orderBy: string;
}

/** The types of the options. */
export const TABLE_OPTIONS: OptionTypes = { table: STRING, orderBy: STRING };

/** What each option is that a call cannot do without. */
const NEEDED = {
  table: 'the name of the table',
  orderBy: 'the column that orders its rows',
  columns: "its columns with their types, as 'id bigint, title string'",
} as const;

/** @throws AssizeError (ASZ533) if one of these options is missing */
export function checkNeeded(call: string, options: object, needed: readonly (keyof typeof NEEDED)[]): void {
  const missing = needed.filter((name) => Reflect.get(options, name) === undefined);
  const [first] = missing;
  if (first === undefined) return;
  fail('ASZ533', `${call} was given no ${missing.join(', no ')}`, `${first} is ${NEEDED[first]}`);
}

/** The name of a table as SQL, its schema too. */
export const tableName = (dialect: Dialect, table: string): string =>
  table
    .split('.')
    .map((part) => dialect.identifier(part))
    .join('.');

/** A table whose columns are known. */
export function tableRelation(
  dialect: Dialect,
  { table, orderBy }: TableOptions,
  columns: readonly Column[],
): Relation {
  const order = columns.find(({ name }) => name === orderBy);
  if (!order) {
    const there = columns.map(({ name }) => name).join(', ');
    fail('ASZ569', `the table ${table} has no column ${orderBy} to order its rows by`, `it has ${there}`);
  }
  const name = tableName(dialect, table);
  const key = dialect.identifier(orderBy);
  return {
    column: (wanted) => columns.find((column) => column.name === wanted),
    read: (wanted) => readTable(dialect, name, key, wanted),
    positions: dialect.positions?.(name, key, order.kind) ?? positionsInOrder(name, key),
    cells: `SELECT ${key} AS k, ${cellsOf(dialect, columns)} AS cells FROM ${name}`,
    decode: (cells) => decodeCells(columns, cells),
  };
}

/** The places of all rows, by a sort of their keys alone. */
const positionsInOrder = (table: string, key: string): string =>
  `SELECT ${key} AS k, row_number() OVER (ORDER BY ${key}) - 1 AS pos FROM ${table}`;

/** A name, perhaps between quotes, and a type, in which commas stand between brackets. */
const COLUMN =
  /\s*(?:`((?:[^`]|``)*)`|"((?:[^"]|"")*)"|([^\s,`"]+))\s+((?:[\w ]|<[^>]*(?:<[^>]*>[^>]*)*>|\([^)]*\))+?)\s*(?:,|$)/gy;

/**
 * Columns as a schema writes them: `id bigint, title string, "IMDB Rating" double`.
 *
 * @throws AssizeError (ASZ573)
 */
export function parseColumns(dialect: Dialect, text: string): readonly Column[] {
  const columns: Column[] = [];
  let end = 0;
  for (const match of text.matchAll(COLUMN)) {
    const [whole, ticked, quoted, plain, type = ''] = match;
    const name = ticked?.replaceAll('``', '`') ?? quoted?.replaceAll('""', '"') ?? plain ?? '';
    columns.push({ name, type, kind: dialect.kindOf(type) });
    end = match.index + whole.length;
  }
  const rest = text.slice(end).trim();
  if (columns.length > 0 && rest === '') return columns;
  return fail(
    'ASZ573',
    `expected columns as name type, …, found ${JSON.stringify(rest)}`,
    'id bigint, title string, "IMDB Rating" double',
  );
}
