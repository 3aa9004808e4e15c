import { MOST_MILLIS } from '../../data/index.js';
import { type OptionTypes, STRING } from '../../base/index.js';
import { setOwn } from '../../expression/index.js';
import { type Column, type Dialect, fail } from './dialect.js';

/** The rows that a statement reads, in an order that is known: a table, or files. */
export interface Relation {
  /** The column of a name; undefined if there is none: then every candidate lacks that field. */
  readonly column: (name: string) => Column | undefined;
  /**
   * A query of `k`, what tells rows apart and orders them, of which no two have the same and none has NULL, and of columns,
   * each by the name that the statement has for it.
   */
  readonly read: (columns: ReadonlyMap<string, string>) => string;
  /** Whether `read` has a column `uncertain_row` besides: TRUE if nothing of the row is known but its cells. */
  readonly marksUncertain?: boolean;
  /** A query of `k`, and `pos`, the place among all rows, from 0; undefined if `k` is the place. */
  readonly positions: string | undefined;
  /** A query of `k` and `cells`: each row as a text, from which `decode` makes the candidate. */
  readonly cells: string;
  /** @throws SyntaxError where the text is no row */
  readonly decode: (cells: string) => object;
}

/**
 * What `read` of a relation gives, where its columns are those of a table.
 *
 * @param table   what stands behind FROM
 * @param columns by their names in the table, those in the statement
 */
export function readTable(
  { identifier }: Dialect,
  table: string,
  key: string,
  columns: Iterable<readonly [name: string, own: string]>,
): string {
  const read = Array.from(columns, ([name, own]) => `${identifier(name)} AS ${own}`);
  return `SELECT ${[`${key} AS k`, ...read].join(', ')} FROM ${table}`;
}

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
  fail('ASZ533', `${call} needs ${missing.join(', ')}`, `${first} is ${NEEDED[first]}`);
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

/** The row of a table as one text: its values as texts, in the order of the columns. */
export const cellsOf = (dialect: Dialect, columns: readonly Column[]): string =>
  dialect.cells(columns.map(({ name, type, kind }) => dialect.cell(dialect.identifier(name), type, kind)));

/** The candidate of a row: a property for each column, null if the row has no value. */
export function decodeCells(columns: readonly Column[], cells: string): object {
  const texts: unknown = JSON.parse(cells);
  if (!Array.isArray(texts) || texts.length !== columns.length) {
    throw new SyntaxError(`a row does not have ${columns.length} values, one for each column`);
  }
  const candidate: Record<string, unknown> = {};
  for (const [k, { name, kind }] of columns.entries()) setOwn(candidate, name, decodeCell(texts[k], kind));
  return candidate;
}

function decodeCell(text: unknown, kind: Column['kind']): unknown {
  if (typeof text !== 'string') return null;
  switch (kind) {
    case 'number':
    case 'integer':
      return decodeNumber(text);
    case 'bool':
      return text === 'true' || text === 't';
    case 'time':
      return Math.abs(Number(text)) <= MOST_MILLIS ? new Date(Number(text)) : null;
    case 'json':
      return JSON.parse(text);
    case 'text':
      return text;
    default:
      return decodeOther(text);
  }
}

/** Databases write infinities as `inf`, `Infinity` and their like. */
function decodeNumber(text: string): number {
  if (/^-?inf/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  return Number(text);
}

/** A list, a struct or a map as JSON; any other type as the database writes it. */
function decodeOther(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
