import { type CsvLines, readCsvLines } from '../../input/csv/csv-lines.js';
import { duckdb } from '../dialects/duckdb.js';
import type { Relation } from '../rows/relation.js';

/** A character that no text has: DuckDB is to cut lines at it, so that one which has it is refused. */
const NEVER = '\u0001';

/** Columns of our own: none of a file has such a name. */
const ownColumn = (name: string): string => duckdb.identifier(`${NEVER}${name}`);
const [LINE, CELLS] = [ownColumn('line'), ownColumn('cells')];

const POSITION = '(row_number() OVER () - 1)';

/** What `String.prototype.trim` takes away. */
const WHITE_SPACE =
  '\t\n\u000b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';

/** A number that a double holds whatever its digits are; and any number as JSON writes it. */
const SURE_NUMBER =
  '-?(?:0|[1-9][0-9]{0,14}|(?:0|[1-9][0-9]{0,30})(?:\\.[0-9]{1,30}(?:[eE][+-]?[0-9]{1,2})?|[eE][+-]?[0-9]{1,2}))';
const NUMBER = '-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?';

/** Files of which no statement can read a row: the process reads them, and says what is wrong with them. */
const unreadable = (why: unknown): Relation => ({
  column: () => undefined,
  read: () => {
    throw why;
  },
  positions: undefined,
  cells: '',
  decode: () => ({}),
});

/**
 * Files of CSV or TSV as lines, which are cut at each delimiter: exactly what a line without quotes means. The process
 * reads every other line, as it does those with more cells or fewer. DuckDB's own reading of CSV is lenient, and has
 * types of its own; what the cells are is said by the rules of `parseCell`, as documents of JSON.
 */
export const csvRelation = (files: readonly string[], delimiter: ',' | '\t'): Promise<Relation> =>
  relationOf(files, delimiter).catch(unreadable);

async function relationOf(files: readonly string[], delimiter: ',' | '\t'): Promise<Relation> {
  const all = await Promise.all(files.map((file) => readCsvLines(file, delimiter)));
  const [first] = all as [CsvLines];
  const shape = ({ columns }: CsvLines): string => JSON.stringify(columns);
  if (all.some((one) => shape(one) !== shape(first))) throw new Error('the files have different columns');
  if (first.columns.flat().some((key) => key.includes(NEVER)))
    throw new Error('a column has a control character in its name');
  const lines = linesText(files);
  const byName = groupedAt(0, [...first.columns.entries()]);
  return {
    column: (name) => (byName.has(name) ? { name, type: 'JSON', kind: 'json' } : undefined),
    read: (columns) => {
      const documents = Array.from(columns, ([name, own]) => `${document(byName.get(name) ?? [], 1)} AS ${own}`);
      const odd = `(contains(${LINE}, '"') OR len(${CELLS}) <> ${first.columns.length})`;
      const cut = `SELECT ${LINE}, string_split(${LINE}, ${duckdb.text(delimiter)}) AS ${CELLS} FROM ${lines}`;
      return `SELECT ${[`${POSITION} AS k`, `${odd} AS odd_row`, ...documents].join(', ')} FROM (${cut})`;
    },
    marksOdd: true,
    positions: undefined,
    cells: `SELECT ${POSITION} AS k, ${LINE} AS cells FROM ${lines}`,
    decode: (line) => first.row(line),
  };
}

/** The lines of the files behind the first of each that are not empty, as one column: cut at a character that no text has, and strictly. */
function linesText(files: readonly string[]): string {
  const options = [
    `delim = '${NEVER}', quote = '', escape = '', header = false, skip = 1, auto_detect = false`,
    `columns = {${duckdb.text(`${NEVER}line`)}: 'VARCHAR'}, strict_mode = true, null_padding = false, ignore_errors = false`,
  ];
  const list = files.map((file) => duckdb.text(file)).join(', ');
  return `(SELECT ${LINE} FROM read_csv([${list}], ${options.join(', ')}) WHERE ${LINE} IS NOT NULL)`;
}

type PlacedColumn = readonly [column: number, keys: readonly string[]];

/** Columns by one of their keys. */
function groupedAt(depth: number, columns: readonly PlacedColumn[]): ReadonlyMap<string, readonly PlacedColumn[]> {
  const groups = new Map<string, readonly PlacedColumn[]>();
  for (const column of columns) {
    const key = column[1][depth] ?? '';
    groups.set(key, [...(groups.get(key) ?? []), column]);
  }
  return groups;
}

/** The value of some columns that fill one key, `depth` keys deep: a cell, or an object of what is present. */
function document(columns: readonly PlacedColumn[], depth: number): string {
  const [[column, keys] = [0, []]] = columns;
  if (keys.length === depth) return `CAST(${cellText(`${CELLS}[${column + 1}]`)} AS JSON)`;
  const parts = Array.from(
    groupedAt(depth, columns),
    ([key, own]) => [duckdb.text(key), document(own, depth + 1)] as const,
  );
  const present = parts.map(([, part]) => `${part} IS NOT NULL`).join(' OR ');
  return `CASE WHEN ${present} THEN json_object(${parts.flat().join(', ')}) END`;
}

/**
 * A cell as JSON: NULL where it is absent. A number that a double may not hold is an empty list, which is present and of
 * a type that nothing wants, so that the process reads the row.
 */
function cellText(cell: string): string {
  const trimmed = `trim(${cell}, ${duckdb.text(WHITE_SPACE)})`;
  const isOne = (value: string): string => `${trimmed} IN ('${value}', '${capital(value)}', '${value.toUpperCase()}')`;
  return [
    `CASE WHEN regexp_full_match(${cell}, '${SURE_NUMBER}') THEN ${cell}`, // most are: to trim costs three times this
    `WHEN ${trimmed} = '' THEN NULL`,
    `WHEN regexp_full_match(${trimmed}, '${SURE_NUMBER}') THEN ${trimmed}`,
    `WHEN regexp_full_match(${trimmed}, '${NUMBER}') THEN '[]'`,
    ...['true', 'false'].map((value) => `WHEN ${isOne(value)} THEN '${value}'`),
    `ELSE CAST(to_json(${cell}) AS VARCHAR) END`,
  ].join(' ');
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
