import type { ColumnKind, Dialect } from './dialect.js';
import { quote } from './text-literal.js';

const KINDS: readonly (readonly [RegExp, ColumnKind])[] = [
  [/^(tinyint|byte|smallint|short|int|integer|bigint|long)$/i, 'integer'],
  [/^(float|real|double|decimal(\(.*\))?)$/i, 'number'],
  [/^boolean$/i, 'bool'],
  [/^(string|varchar\(\d+\))$/i, 'text'],
  [/^(date|timestamp|timestamp_ltz|timestamp_ntz)$/i, 'time'],
];

/** Characters that mean themselves between quotes, whichever way the server parses a literal. */
const PLAIN = /^[\w ,.:;/+*()[\]{}=<>!?@#^|~-]*$/;

/** A text with other characters is written as its bytes: what a backslash or a doubled quote means is a setting. */
function text(value: string): string {
  if (PLAIN.test(value)) return quote(value, "'");
  quote(value, "'"); // throws for what no database holds
  return `CAST(X'${Buffer.from(value, 'utf8').toString('hex')}' AS STRING)`;
}

/** A date, and a timestamp without a zone, has no time zone: cast to a timestamp, it would get that of the session. */
function millis(column: string, type: string): string {
  const midnight = (date: string): string => `(datediff(${date}, DATE '1970-01-01') * 86400000L)`;
  if (/^date$/i.test(type)) return midnight(column);
  if (!/ntz$/i.test(type)) return `unix_millis(${column})`;
  const clock = `(hour(${column}) * 60 + minute(${column})) * 60000L + floor(extract(SECOND FROM ${column}) * 1000)`;
  return `(${midnight(`CAST(${column} AS DATE)`)} + ${clock})`;
}

/** `floor` gives a BIGINT, in which a large double would not fit. */
const whole = (name: string, x: string): string =>
  `CASE WHEN abs(${x}) < 4503599627370496D THEN CAST(${name}(${x}) AS DOUBLE) ELSE ${x} END`;

/** Into how many ranges keys are cut, each of which is sorted by one task. */
const RANGES = 4096;

/**
 * Places in the order of numeric keys, range by range: a window over all rows would be the work of a single task. A range
 * begins where the rows before it end, which are counted; a greater key never has a lesser range.
 */
function positions(table: string, key: string, kind: ColumnKind): string | undefined {
  if (kind !== 'integer' && kind !== 'number') return undefined;
  // Beside the columns of the table stand names that none of it has.
  const [least, most] = ['assize_ends.assize_least', 'assize_ends.assize_most'].map((end) => `CAST(${end} AS DOUBLE)`);
  const range = `coalesce(width_bucket(CAST(${key} AS DOUBLE), ${least}, ${most}, ${RANGES}), 0)`;
  const ends = `SELECT min(${key}) AS assize_least, max(${key}) AS assize_most FROM ${table}`;
  const ranged = `SELECT ${key} AS k, ${range} AS part FROM ${table} CROSS JOIN (${ends}) AS assize_ends`;
  const counted = `SELECT part, count(*) AS many FROM (${ranged}) AS counted GROUP BY part`;
  const starts = `SELECT part, sum(many) OVER (ORDER BY part) - many AS before FROM (${counted}) AS parts`;
  const nth = 'row_number() OVER (PARTITION BY ranged.part ORDER BY ranged.k)';
  return `SELECT ranged.k AS k, starts.before + ${nth} - 1 AS pos FROM (${ranged}) AS ranged JOIN (${starts}) AS starts ON starts.part = ranged.part`;
}

/** Apache Spark 3.5 and 4, with and without ANSI mode: a table or a view. JSON documents are left to the process. */
export const spark: Dialect = {
  name: 'spark',
  types: { number: 'DOUBLE', text: 'STRING', bool: 'BOOLEAN', position: 'BIGINT' },
  fence: '',
  materialized: '',
  // A query without chance is copied to wherever it is read, and filters are moved down into it, which takes the planner
  // time exponential in its depth. One with chance is computed once.
  once: (value) => `CASE WHEN rand() < 2 THEN ${value} END`,
  positions,
  identifier: (name) => quote(name, '`'),
  text,
  kindOf: (type) => KINDS.find(([pattern]) => pattern.test(type))?.[1] ?? 'other',
  double: (column, type) =>
    /^decimal/i.test(type) ? `CAST(CAST(${column} AS STRING) AS DOUBLE)` : `CAST(${column} AS DOUBLE)`,
  millis: (column, type) => `CAST(${millis(column, type)} AS DOUBLE)`,
  textOf: (column) => column,
  cell: (column, type, kind) => {
    if (kind === 'time') return `CAST(${millis(column, type)} AS STRING)`;
    if (/^(float|real)$/i.test(type)) return `CAST(CAST(${column} AS DOUBLE) AS STRING)`;
    return kind === 'other' && /^(array|map|struct)/i.test(type) ? `to_json(${column})` : `CAST(${column} AS STRING)`;
  },
  cells: (texts) => `to_json(array(${texts.join(', ')}))`,
  floor: (x) => whole('floor', x),
  ceil: (x) => whole('ceil', x),
  log2: (x) => `log2(${x})`,
  remainder: (x, y) => `(${x} % ${y})`,
  contains: (x, part) => `contains(${x}, ${part})`,
  startsWith: (x, start) => `startswith(${x}, ${start})`,
  endsWith: (x, end) => `endswith(${x}, ${end})`,
  size: (x) => `CAST(char_length(${x}) AS DOUBLE)`,
  lower: (x) => `lower(${x})`,
  isAscii: (x) => `(octet_length(${x}) = char_length(${x}))`,
  matches: (x, pattern) => `(${x} RLIKE ${text(`^(${pattern})$`)})`,
  days: (date) => `CAST(datediff(CAST(${date} AS DATE), DATE '1970-01-01') AS DOUBLE)`,
};
