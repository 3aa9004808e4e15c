import { type ColumnKind, type Dialect, type JsonParts, quote } from './dialect.js';

const DUCKDB_KINDS: readonly (readonly [RegExp, ColumnKind])[] = [
  [/^(U?TINYINT|U?SMALLINT|U?INTEGER|U?BIGINT)$/, 'integer'],
  [/^(FLOAT|DOUBLE|U?HUGEINT|DECIMAL\(\d+,\d+\))$/, 'number'],
  [/^BOOLEAN$/, 'bool'],
  [/^(VARCHAR|UUID|ENUM\(.*\))$/s, 'text'],
  [/^(DATE|TIMESTAMP|TIMESTAMP_S|TIMESTAMP_MS|TIMESTAMP_NS|TIMESTAMP WITH TIME ZONE|TIMESTAMPTZ)$/, 'time'],
  [/^JSON$/, 'json'],
];

const duckdbText = (value: string): string => quote(value, "'");

/** Does not match NaN, which DuckDB accepts in JSON. */
const JSON_NUMBER = '^-?[0-9]';

/**
 * Reads a value by JSON pointer. DuckDB returns the first of duplicate keys, `JSON.parse` the last. So a document is
 * uncertain if it has the key twice, or has a backslash, since keys may then be escaped.
 */
function duckdbJson(column: string, keys: readonly string[]): JsonParts {
  const pointer = keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  const value = keys.length === 0 ? column : `json_extract(${column}, ${duckdbText(pointer)})`;
  const document = `CAST(${column} AS VARCHAR)`;
  const raw = `CAST(${value} AS VARCHAR)`;
  const twice = keys.map((key) => {
    const written = duckdbText(JSON.stringify(key));
    return `(strlen(${document}) - strlen(replace(${document}, ${written}, '')) > strlen(${written}))`;
  });
  const escaped = keys.length === 0 ? [] : [`contains(${document}, '\\')`];
  const known = keys.length === 0 ? [] : [...twice, ...escaped].map((one) => `coalesce(${one}, FALSE)`);
  return {
    isPresent: `coalesce(${raw} <> 'null', FALSE)`,
    number: `CASE WHEN regexp_matches(${raw}, '${JSON_NUMBER}') THEN TRY_CAST(${raw} AS DOUBLE) END`,
    // DuckDB cuts a string at NUL. Such a string is treated as another type, and is uncertain.
    text: `CASE WHEN starts_with(${raw}, '"') AND NOT contains(${raw}, '\\u0000') THEN json_extract_string(${value}, '$') END`,
    bool: `CASE ${raw} WHEN 'true' THEN TRUE WHEN 'false' THEN FALSE END`,
    uncertain: known,
  };
}

/**
 * `epoch_ms` rounds toward 0, and fails for values out of its range. `epoch_us` of an infinite timestamp is NULL, but
 * `epoch_ns` is not.
 */
function duckdbMillis(column: string, type: string): string {
  if (type === 'DATE') return `CASE WHEN isfinite(${column}) THEN (${column} - DATE '1970-01-01') * 86400000 END`;
  const [units, per] = type === 'TIMESTAMP_NS' ? [`epoch_ns(${column})`, 1_000_000] : [`epoch_us(${column})`, 1000];
  const floor = `(${units} // ${per} - CASE WHEN ${units} % ${per} < 0 THEN 1 ELSE 0 END)`;
  return type === 'TIMESTAMP_NS' ? `CASE WHEN isfinite(${column}) THEN ${floor} END` : floor;
}

/** DuckDB, embedded: JSON Lines, CSV and Parquet files, also larger than memory. */
export const duckdb: Dialect = {
  name: 'duckdb',
  types: { number: 'DOUBLE', text: 'VARCHAR', bool: 'BOOLEAN', position: 'BIGINT' },
  fence: '',
  materialized: ' MATERIALIZED',
  joinsNull: true,
  nthGreatest: (value, n) => (n <= 1000 ? `list_extract(max(${value}, ${n}), ${n})` : undefined),
  identifier: (name) => quote(name, '"'),
  text: duckdbText,
  kindOf: (type) => DUCKDB_KINDS.find(([pattern]) => pattern.test(type))?.[1] ?? 'other',
  // A cast from DECIMAL divides by a power of ten, which may give another double than its digits do.
  double: (column, type) =>
    /^(DECIMAL|U?HUGEINT)/.test(type) ? `CAST(CAST(${column} AS VARCHAR) AS DOUBLE)` : `CAST(${column} AS DOUBLE)`,
  millis: (column, type) => `CAST(${duckdbMillis(column, type)} AS DOUBLE)`,
  textOf: (column, type) => (type === 'VARCHAR' ? column : `CAST(${column} AS VARCHAR)`),
  cell: (column, type, kind) => {
    if (kind === 'time') return `CAST(${duckdbMillis(column, type)} AS VARCHAR)`;
    if (type === 'FLOAT') return `CAST(CAST(${column} AS DOUBLE) AS VARCHAR)`;
    return kind === 'other' ? `CAST(to_json(${column}) AS VARCHAR)` : `CAST(${column} AS VARCHAR)`;
  },
  cells: (texts) => `CAST(to_json([${texts.join(', ')}]) AS VARCHAR)`,
  json: duckdbJson,
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
  matches: (whole, pattern) => `regexp_full_match(${whole}, ${duckdbText(pattern)})`,
  days: (date) => `CAST(datediff('day', DATE '1970-01-01', TRY_CAST(${date} AS DATE)) AS DOUBLE)`,
};

const POSTGRES_KINDS: readonly (readonly [RegExp, ColumnKind])[] = [
  [/^(smallint|integer|bigint)$/, 'integer'],
  [/^(real|double precision|numeric(\(.*\))?)$/, 'number'],
  [/^boolean$/, 'bool'],
  [/^(text|character varying(\(\d+\))?|uuid)$/, 'text'],
  [/^(date|timestamp(\(\d\))? with(out)? time zone)$/, 'time'],
  [/^jsonb?$/, 'json'],
];

/** With the prefix E, a backslash is an escape regardless of the server's settings. */
function postgresText(value: string): string {
  const quoted = quote(value, "'");
  return quoted.includes('\\') ? `E${quoted.replaceAll('\\', '\\\\')}` : quoted;
}

/** Avoids casting an infinite date, because that cast fails the statement. */
const postgresMillis = (column: string): string =>
  `CASE WHEN isfinite(${column}) THEN floor(extract(epoch FROM ${column}) * 1000) END`;

/** `jsonb` keeps the last of duplicate keys, as `JSON.parse` does. Its numbers are decimals of any size. */
function postgresJson(column: string, keys: readonly string[]): JsonParts {
  const value = keys.reduce((of, key) => `(${of} -> ${postgresText(key)})`, `CAST(${column} AS jsonb)`);
  const type = `jsonb_typeof(${value})`;
  const decimal = `CAST(${value} #>> '{}' AS numeric)`;
  return {
    isPresent: `coalesce(${type} <> 'null', FALSE)`,
    // A decimal that does not fit into a double would fail the statement. It is NULL here, and so uncertain.
    number: `CASE WHEN ${type} = 'number' THEN CASE WHEN abs(${decimal}) < 1e300 THEN CAST(${decimal} AS double precision) END END`,
    text: `CASE WHEN ${type} = 'string' THEN ${value} #>> '{}' END`,
    bool: `CASE WHEN ${type} = 'boolean' THEN CAST(${value} #>> '{}' AS boolean) END`,
    uncertain: [],
  };
}

/** PostgreSQL, as a server or as PGlite: a table. */
export const postgres: Dialect = {
  name: 'postgres',
  types: { number: 'double precision', text: 'text', bool: 'boolean', position: 'bigint' },
  fence: '\nOFFSET 0',
  materialized: ' MATERIALIZED',
  identifier: (name) => quote(name, '"'),
  text: postgresText,
  kindOf: (type) => POSTGRES_KINDS.find(([pattern]) => pattern.test(type))?.[1] ?? 'other',
  double: (column) => `CAST(${column} AS double precision)`,
  millis: (column) => `CAST(${postgresMillis(column)} AS double precision)`,
  textOf: (column) => `(CAST(${column} AS text) COLLATE "C")`,
  cell: (column, type, kind) => {
    if (kind === 'time') return `CAST(CAST(${postgresMillis(column)} AS bigint) AS text)`;
    if (type === 'real') return `CAST(CAST(${column} AS double precision) AS text)`;
    return kind === 'other' ? `CAST(to_jsonb(${column}) AS text)` : `CAST(${column} AS text)`;
  },
  cells: (texts) => `CAST(to_jsonb(CAST(ARRAY[${texts.join(', ')}] AS text[])) AS text)`,
  json: postgresJson,
  floor: (x) => `floor(${x})`,
  ceil: (x) => `ceil(${x})`,
  log2: (x) => `(ln(${x}) / ln(CAST('2' AS double precision)))`,
  contains: (whole, part) => `(strpos(${whole}, ${part}) > 0)`,
  startsWith: (whole, start) => `starts_with(${whole}, ${start})`,
  endsWith: (whole, end) => `(right(${whole}, char_length(${end})) = ${end})`,
  size: (whole) => `CAST(char_length(${whole}) AS double precision)`,
  lower: (whole) => `lower(${whole} COLLATE "C")`,
  isAscii: (whole) => `(octet_length(${whole}) = char_length(${whole}))`,
  matches: (whole, pattern) => `(${whole} COLLATE "C" ~ ${postgresText(`^(${pattern})$`)})`,
  days: (date) => `CAST(CAST(${date} AS date) - DATE '1970-01-01' AS double precision)`,
};

const SPARK_KINDS: readonly (readonly [RegExp, ColumnKind])[] = [
  [/^(tinyint|byte|smallint|short|int|integer|bigint|long)$/i, 'integer'],
  [/^(float|real|double|decimal(\(.*\))?)$/i, 'number'],
  [/^boolean$/i, 'bool'],
  [/^(string|varchar\(\d+\))$/i, 'text'],
  [/^(date|timestamp|timestamp_ltz|timestamp_ntz)$/i, 'time'],
];

/** Characters that are never special in a literal, whatever the server's settings. */
const PLAIN = /^[\w ,.:;/+*()[\]{}=<>!?@#^|~-]*$/;

/**
 * Writes a string with other characters as bytes, because the meaning of backslashes and doubled quotes depends on
 * settings.
 */
function sparkText(value: string): string {
  if (PLAIN.test(value)) return quote(value, "'");
  quote(value, "'"); // throws for strings that databases cannot hold
  return `CAST(X'${Buffer.from(value, 'utf8').toString('hex')}' AS STRING)`;
}

/**
 * Dates, and timestamps without a time zone, are not cast to a timestamp, which would apply the session's time zone.
 */
function sparkMillis(column: string, type: string): string {
  const midnight = (date: string): string => `(datediff(${date}, DATE '1970-01-01') * 86400000L)`;
  if (/^date$/i.test(type)) return midnight(column);
  if (!/ntz$/i.test(type)) return `unix_millis(${column})`;
  const clock = `(hour(${column}) * 60 + minute(${column})) * 60000L + floor(extract(SECOND FROM ${column}) * 1000)`;
  return `(${midnight(`CAST(${column} AS DATE)`)} + ${clock})`;
}

/** Leaves large doubles as they are: `floor` returns a BIGINT, which cannot hold them. */
const wholeNumber = (name: string, x: string): string =>
  `CASE WHEN abs(${x}) < 4503599627370496D THEN CAST(${name}(${x}) AS DOUBLE) ELSE ${x} END`;

/** The number of ranges of keys. One task sorts each range. */
const RANGES = 4096;

/**
 * The positions of the chosen rows if keys are numbers, computed range by range, because a window over all rows would run
 * in a single task. A range's first position is the number of rows in the ranges before it. Only the rows of ranges with a
 * chosen row are sorted.
 */
function positions(table: string, key: string, kind: ColumnKind): string | undefined {
  if (kind !== 'integer' && kind !== 'number') return undefined;
  // The prefix `assize_` avoids name conflicts with the table's columns.
  const [least, most] = ['assize_ends.assize_least', 'assize_ends.assize_most'].map((end) => `CAST(${end} AS DOUBLE)`);
  const rangeOf = (k: string): string =>
    `coalesce(width_bucket(CAST(${k} AS DOUBLE), ${least}, ${most}, ${RANGES}), 0)`;
  const ends = `(SELECT min(${key}) AS assize_least, max(${key}) AS assize_most FROM ${table}) AS assize_ends`;
  const ranged = `SELECT ${key} AS k, ${rangeOf(key)} AS part FROM ${table} CROSS JOIN ${ends}`;
  const counted = `SELECT part, count(*) AS many FROM (${ranged}) AS counted GROUP BY part`;
  const starts = `SELECT part, sum(many) OVER (ORDER BY part) - many AS before FROM (${counted}) AS parts`;
  const chosen = `SELECT DISTINCT ${rangeOf('assize_chosen.k')} AS part FROM assize_chosen CROSS JOIN ${ends}`;
  const wanted = `SELECT starts.part AS part, before FROM (${starts}) AS starts JOIN (${chosen}) AS chosen ON chosen.part = starts.part`;
  const nth = 'row_number() OVER (PARTITION BY ranged.part ORDER BY ranged.k)';
  return `SELECT /*+ BROADCAST(wanted) */ ranged.k AS k, wanted.before + ${nth} - 1 AS pos FROM (${ranged}) AS ranged JOIN (${wanted}) AS wanted ON wanted.part = ranged.part`;
}

/** Apache Spark 3.5 and 4, with and without ANSI mode: a table or a view. The process reads JSON documents. */
const spark: Dialect = {
  name: 'spark',
  types: { number: 'DOUBLE', text: 'STRING', bool: 'BOOLEAN', position: 'BIGINT' },
  fence: '',
  materialized: '',
  // Spark inlines a deterministic query wherever it is read, and pushes filters into it; planning time is then
  // exponential in the query's depth. It computes a non-deterministic query once.
  once: (value) => `CASE WHEN rand() < 2 THEN ${value} END`,
  positions,
  // Spark may estimate that all rows are smaller, and would send these to each machine, through the memory of the driver.
  fewRows: (name, columns) => `(SELECT /*+ BROADCAST(${name}) */ ${columns} FROM ${name}) AS ${name}`,
  identifier: (name) => quote(name, '`'),
  text: sparkText,
  kindOf: (type) => SPARK_KINDS.find(([pattern]) => pattern.test(type))?.[1] ?? 'other',
  double: (column, type) =>
    /^decimal/i.test(type) ? `CAST(CAST(${column} AS STRING) AS DOUBLE)` : `CAST(${column} AS DOUBLE)`,
  millis: (column, type) => `CAST(${sparkMillis(column, type)} AS DOUBLE)`,
  textOf: (column) => column,
  cell: (column, type, kind) => {
    if (kind === 'time') return `CAST(${sparkMillis(column, type)} AS STRING)`;
    if (/^(float|real)$/i.test(type)) return `CAST(CAST(${column} AS DOUBLE) AS STRING)`;
    return kind === 'other' && /^(array|map|struct)/i.test(type) ? `to_json(${column})` : `CAST(${column} AS STRING)`;
  },
  cells: (texts) => `to_json(array(${texts.join(', ')}))`,
  floor: (x) => wholeNumber('floor', x),
  ceil: (x) => wholeNumber('ceil', x),
  log2: (x) => `log2(${x})`,
  remainder: (x, y) => `(${x} % ${y})`,
  contains: (x, part) => `contains(${x}, ${part})`,
  startsWith: (x, start) => `startswith(${x}, ${start})`,
  endsWith: (x, end) => `endswith(${x}, ${end})`,
  size: (x) => `CAST(char_length(${x}) AS DOUBLE)`,
  lower: (x) => `lower(${x})`,
  isAscii: (x) => `(octet_length(${x}) = char_length(${x}))`,
  matches: (x, pattern) => `(${x} RLIKE ${sparkText(`^(${pattern})$`)})`,
  days: (date) => `CAST(datediff(CAST(${date} AS DATE), DATE '1970-01-01') AS DOUBLE)`,
};

/** The dialects by name. */
export const DIALECTS = { duckdb, postgres, spark } as const;

/** The name of a dialect. */
export type DialectName = keyof typeof DIALECTS;

export const DIALECT_NAMES: readonly DialectName[] = ['duckdb', 'postgres', 'spark'];
