import type { ColumnKind, Dialect, JsonParts } from './dialect.js';
import { quote } from './text-literal.js';

const KINDS: readonly (readonly [RegExp, ColumnKind])[] = [
  [/^(smallint|integer|bigint)$/, 'integer'],
  [/^(real|double precision|numeric(\(.*\))?)$/, 'number'],
  [/^boolean$/, 'bool'],
  [/^(text|character varying(\(\d+\))?|uuid)$/, 'text'],
  [/^(date|timestamp(\(\d\))? with(out)? time zone)$/, 'time'],
  [/^jsonb?$/, 'json'],
];

/** With E, a backslash is an escape whatever the server is set to. */
function text(value: string): string {
  const quoted = quote(value, "'");
  return quoted.includes('\\') ? `E${quoted.replaceAll('\\', '\\\\')}` : quoted;
}

/** The cast of an infinite date would end the statement. */
const millis = (column: string): string =>
  `CASE WHEN isfinite(${column}) THEN floor(extract(epoch FROM ${column}) * 1000) END`;

/** The keys of `jsonb` are once each, the last of equal ones, as JSON.parse has it; a number is a decimal of any size. */
function jsonParts(column: string, keys: readonly string[]): JsonParts {
  const value = keys.reduce((of, key) => `(${of} -> ${text(key)})`, `CAST(${column} AS jsonb)`);
  const type = `jsonb_typeof(${value})`;
  const decimal = `CAST(${value} #>> '{}' AS numeric)`;
  return {
    isPresent: `coalesce(${type} <> 'null', FALSE)`,
    // A decimal that no double holds would end the statement: what is far out of range is no number here, and so odd.
    number: `CASE WHEN ${type} = 'number' THEN CASE WHEN abs(${decimal}) < 1e300 THEN CAST(${decimal} AS double precision) END END`,
    text: `CASE WHEN ${type} = 'string' THEN ${value} #>> '{}' END`,
    bool: `CASE WHEN ${type} = 'boolean' THEN CAST(${value} #>> '{}' AS boolean) END`,
    odd: [],
  };
}

/** PostgreSQL, as a server or as PGlite: the rows of a table. */
export const postgres: Dialect = {
  name: 'postgres',
  types: { number: 'double precision', text: 'text', bool: 'boolean', position: 'bigint' },
  fence: '\nOFFSET 0',
  materialized: ' MATERIALIZED',
  identifier: (name) => quote(name, '"'),
  text,
  kindOf: (type) => KINDS.find(([pattern]) => pattern.test(type))?.[1] ?? 'other',
  double: (column) => `CAST(${column} AS double precision)`,
  millis: (column) => `CAST(${millis(column)} AS double precision)`,
  textOf: (column) => `(CAST(${column} AS text) COLLATE "C")`,
  cell: (column, type, kind) => {
    if (kind === 'time') return `CAST(CAST(${millis(column)} AS bigint) AS text)`;
    if (type === 'real') return `CAST(CAST(${column} AS double precision) AS text)`;
    return kind === 'other' ? `CAST(to_jsonb(${column}) AS text)` : `CAST(${column} AS text)`;
  },
  cells: (texts) => `CAST(to_jsonb(CAST(ARRAY[${texts.join(', ')}] AS text[])) AS text)`,
  json: jsonParts,
  floor: (x) => `floor(${x})`,
  ceil: (x) => `ceil(${x})`,
  log2: (x) => `(ln(${x}) / ln(CAST('2' AS double precision)))`,
  contains: (whole, part) => `(strpos(${whole}, ${part}) > 0)`,
  startsWith: (whole, start) => `starts_with(${whole}, ${start})`,
  endsWith: (whole, end) => `(right(${whole}, char_length(${end})) = ${end})`,
  size: (whole) => `CAST(char_length(${whole}) AS double precision)`,
  lower: (whole) => `lower(${whole} COLLATE "C")`,
  isAscii: (whole) => `(octet_length(${whole}) = char_length(${whole}))`,
  matches: (whole, pattern) => `(${whole} COLLATE "C" ~ ${text(`^(${pattern})$`)})`,
  days: (date) => `CAST(CAST(${date} AS date) - DATE '1970-01-01' AS double precision)`,
};
