import type { ColumnKind, Dialect, JsonParts } from './dialect.js';
import { quote } from './text-literal.js';

const KINDS: readonly (readonly [RegExp, ColumnKind])[] = [
  [/^(U?TINYINT|U?SMALLINT|U?INTEGER|U?BIGINT)$/, 'integer'],
  [/^(FLOAT|DOUBLE|U?HUGEINT|DECIMAL\(\d+,\d+\))$/, 'number'],
  [/^BOOLEAN$/, 'bool'],
  [/^(VARCHAR|UUID|ENUM\(.*\))$/s, 'text'],
  [/^(DATE|TIMESTAMP|TIMESTAMP_S|TIMESTAMP_MS|TIMESTAMP_NS|TIMESTAMP WITH TIME ZONE|TIMESTAMPTZ)$/, 'time'],
  [/^JSON$/, 'json'],
];

const text = (value: string): string => quote(value, "'");

/** A number is what begins as one: NaN, which DuckDB lets stand in JSON, has no digit in front. */
const JSON_NUMBER = '^-?[0-9]';

/**
 * A key is a step of a JSON pointer. DuckDB takes the first of equal keys, JSON the last: a document that has the key
 * twice, or a key written with escapes, is odd.
 */
function jsonParts(column: string, keys: readonly string[]): JsonParts {
  const pointer = keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  const value = keys.length === 0 ? column : `json_extract(${column}, ${text(pointer)})`;
  const document = `CAST(${column} AS VARCHAR)`;
  const raw = `CAST(${value} AS VARCHAR)`;
  const twice = keys.map((key) => {
    const written = text(JSON.stringify(key));
    return `(strlen(${document}) - strlen(replace(${document}, ${written}, '')) > strlen(${written}))`;
  });
  const escaped = keys.length === 0 ? [] : [`contains(${document}, '\\')`];
  const known = keys.length === 0 ? [] : [...twice, ...escaped].map((one) => `coalesce(${one}, FALSE)`);
  return {
    isPresent: `coalesce(${raw} <> 'null', FALSE)`,
    number: `CASE WHEN regexp_matches(${raw}, '${JSON_NUMBER}') THEN TRY_CAST(${raw} AS DOUBLE) END`,
    // A text with NUL is cut there: it comes out as a value of another type, and is odd.
    text: `CASE WHEN starts_with(${raw}, '"') AND NOT contains(${raw}, '\\u0000') THEN json_extract_string(${value}, '$') END`,
    bool: `CASE ${raw} WHEN 'true' THEN TRUE WHEN 'false' THEN FALSE END`,
    odd: known,
  };
}

/**
 * `epoch_ms` rounds toward 0, and fails for what is out of its range. Microseconds of an infinite timestamp are NULL, its
 * nanoseconds are not.
 */
function millis(column: string, type: string): string {
  if (type === 'DATE') return `CASE WHEN isfinite(${column}) THEN (${column} - DATE '1970-01-01') * 86400000 END`;
  const [units, per] = type === 'TIMESTAMP_NS' ? [`epoch_ns(${column})`, 1_000_000] : [`epoch_us(${column})`, 1000];
  const floor = `(${units} // ${per} - CASE WHEN ${units} % ${per} < 0 THEN 1 ELSE 0 END)`;
  return type === 'TIMESTAMP_NS' ? `CASE WHEN isfinite(${column}) THEN ${floor} END` : floor;
}

/** DuckDB: embedded; JSON Lines and Parquet files, larger than memory. */
export const duckdb: Dialect = {
  name: 'duckdb',
  types: { number: 'DOUBLE', text: 'VARCHAR', bool: 'BOOLEAN', position: 'BIGINT' },
  fence: '',
  materialized: ' MATERIALIZED',
  identifier: (name) => quote(name, '"'),
  text,
  kindOf: (type) => KINDS.find(([pattern]) => pattern.test(type))?.[1] ?? 'other',
  // A DECIMAL divided by its power of ten may be another double than its digits are.
  double: (column, type) =>
    /^(DECIMAL|U?HUGEINT)/.test(type) ? `CAST(CAST(${column} AS VARCHAR) AS DOUBLE)` : `CAST(${column} AS DOUBLE)`,
  millis: (column, type) => `CAST(${millis(column, type)} AS DOUBLE)`,
  textOf: (column, type) => (type === 'VARCHAR' ? column : `CAST(${column} AS VARCHAR)`),
  cell: (column, type, kind) => {
    if (kind === 'time') return `CAST(${millis(column, type)} AS VARCHAR)`;
    if (type === 'FLOAT') return `CAST(CAST(${column} AS DOUBLE) AS VARCHAR)`;
    return kind === 'other' ? `CAST(to_json(${column}) AS VARCHAR)` : `CAST(${column} AS VARCHAR)`;
  },
  cells: (texts) => `CAST(to_json([${texts.join(', ')}]) AS VARCHAR)`,
  json: jsonParts,
  floor: (x) => `floor(${x})`,
  ceil: (x) => `ceil(${x})`,
  log2: (x) => `log2(${x})`,
  remainder: (x, y) => `(${x} % ${y})`,
  contains: (whole, part) => `contains(${whole}, ${part})`,
  startsWith: (whole, start) => `starts_with(${whole}, ${start})`,
  endsWith: (whole, end) => `ends_with(${whole}, ${end})`,
  size: (whole) => `CAST(length(${whole}) AS DOUBLE)`,
  lower: (whole) => `lower(${whole})`,
  isAscii: (whole) => `(strlen(${whole}) = length(${whole}))`,
  matches: (whole, pattern) => `regexp_full_match(${whole}, ${text(pattern)})`,
  days: (date) => `CAST(datediff('day', DATE '1970-01-01', TRY_CAST(${date} AS DATE)) AS DOUBLE)`,
};
