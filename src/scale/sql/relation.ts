import { MOST_MILLIS } from '../../data/index.js';
import type { OptionTypes } from '../../base/index.js';
import { setOwn } from '../../expression/index.js';
import { type Column, type Dialect, fail } from './dialect.js';
import { typeName } from './type-names.js';

/** The rows of a table or of files, in a known order, as statements read them. */
export interface Relation {
  /** A column by name. If undefined, no candidate has that field. */
  readonly column: (name: string) => Column | undefined;
  /** The names of its columns, for hints; undefined if they are not known. */
  readonly names?: readonly string[];
  /**
   * A query of `k` and of columns, each with its name in the statement. `k` identifies and orders the rows: it has no
   * duplicates and no NULL.
   */
  readonly read: (columns: ReadonlyMap<string, string>) => string;
  /** Whether `k` is a whole number. */
  readonly hasWholeKeys: boolean;
  /** Whether `read` also has a column `uncertain_row`, which is TRUE if only the row's cells are known. */
  readonly marksUncertain?: boolean;
  /**
   * A query of `k` and `pos`, the row's position starting at 0, of at least the rows of `assize_chosen`; undefined if `k` is
   * the position.
   */
  readonly positions: string | undefined;
  /** A query of `k` and `cells`, the row as text, which `decode` converts to a candidate. */
  readonly cells: string;
  /**
   * The same for rows that are joined to other rows by their keys: a query of `k` and of columns, and the SQL of the text.
   * Databases would make the texts of all rows before such a join. Omitted if the texts cost nothing.
   */
  readonly chosen?: ChosenCells;
  /** The SQL after FROM and of `k`, if the rows are those of a table with typed columns. */
  readonly table?: { readonly sql: string; readonly key: string };
  /** @throws SyntaxError if the text is not a row */
  readonly decode: (cells: string) => object;
}

/** The texts of rows that are joined to other rows. */
export interface ChosenCells {
  readonly rows: string;
  /** Reads the columns of `rows`, whose names no other query has. */
  readonly cells: string;
}

/** The texts of the rows that a query has chosen by their keys. */
export const chosenCells = ({ chosen, cells }: Pick<Relation, 'chosen' | 'cells'>): ChosenCells =>
  chosen ?? { rows: cells, cells: 'given.cells' };

/** The same for a table. */
export function chosenOfTable(dialect: Dialect, table: string, key: string, columns: readonly Column[]): ChosenCells {
  const own = columns.map((column, k) => ({ ...column, own: `assize_cell${k}` }));
  return {
    rows: readTable(
      dialect,
      table,
      key,
      own.map((one) => [one.name, one.own] as const),
    ),
    cells: dialect.cells(own.map((one) => dialect.cell(one.own, one.type, one.kind))),
  };
}

/**
 * The query `read` of a relation over a table.
 *
 * @param table   the SQL after FROM
 * @param columns the names in the table, with the names in the statement
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

export interface TableOptions {
  /** The name, optionally with a schema: `films` or `shop.films`. */
  readonly table: string;
  /** The column that orders the rows. It determines ties and positions. Its values must be unique. */
  readonly orderBy: string;
}

export const TABLE_OPTIONS: OptionTypes = { table: 'string', orderBy: 'string' };

/** Descriptions of required options. */
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

/** The quoted name of a table, with its schema. */
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
  const sorted = `SELECT ${key} AS k, row_number() OVER (ORDER BY ${key}) - 1 AS pos FROM ${name}`;
  return {
    column: (wanted) => columns.find((column) => column.name === wanted),
    names: columns.map((column) => column.name),
    read: (wanted) => readTable(dialect, name, key, wanted),
    hasWholeKeys: order.kind === 'integer',
    positions: dialect.positions?.(name, key, order.kind) ?? sorted,
    cells: `SELECT ${key} AS k, ${cellsOf(dialect, columns)} AS cells FROM ${name}`,
    chosen: chosenOfTable(dialect, name, key, columns),
    decode: (cells) => decodeCells(columns, cells),
  };
}

/** A name, optionally in quotes, and a type. Commas inside brackets belong to the type. */
const COLUMN =
  /\s*(?:`((?:[^`]|``)*)`|"((?:[^"]|"")*)"|([^\s,`"]+))\s+((?:[\w ]|<[^>]*(?:<[^>]*>[^>]*)*>|\([^)]*\))+?)\s*(?:,|$)/gy;

/**
 * Parses columns of a schema: `id bigint, title string, "IMDB Rating" double`.
 *
 * @throws AssizeError (ASZ573)
 */
export function parseColumns(dialect: Dialect, text: string): readonly Column[] {
  const columns: Column[] = [];
  let end = 0;
  for (const match of text.matchAll(COLUMN)) {
    const [whole, ticked, quoted, plain, given = ''] = match;
    const type = typeName(dialect.name, given);
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

/** A row as one text: its values, in the order of the columns. */
export const cellsOf = (dialect: Dialect, columns: readonly Column[]): string =>
  dialect.cells(columns.map(({ name, type, kind }) => dialect.cell(dialect.identifier(name), type, kind)));

/** Makes the candidate of a row. It has a property for each column, null if the row has no value. */
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

/** Databases write infinities as `inf`, `Infinity` and similar. */
function decodeNumber(text: string): number {
  if (/^-?inf/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  return Number(text);
}

/** Parses a list, a struct or a map as JSON. Keeps any other type as text. */
function decodeOther(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
