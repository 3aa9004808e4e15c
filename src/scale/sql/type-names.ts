import type { DialectName } from './dialects.js';

/** Types that SQL knows by other names, with their names in each dialect. */
const NAMES: readonly (readonly [synonyms: RegExp, duckdb: string, postgres: string, spark: string])[] = [
  [/^(int2|smallint|smallserial|serial2)$/, 'SMALLINT', 'smallint', 'smallint'],
  [/^(int|int4|integer|serial|serial4)$/, 'INTEGER', 'integer', 'int'],
  [/^(int8|bigint|long|bigserial|serial8)$/, 'BIGINT', 'bigint', 'bigint'],
  [/^(float4|real)$/, 'FLOAT', 'real', 'float'],
  [/^(float8|double|double precision)$/, 'DOUBLE', 'double precision', 'double'],
  [/^(bool|boolean)$/, 'BOOLEAN', 'boolean', 'boolean'],
  [
    /^(text|string|varchar|char varying|character varying|varchar\s*\(\d+\)|character varying\s*\(\d+\))$/,
    'VARCHAR',
    'text',
    'string',
  ],
  [/^(timestamptz|timestamp with time zone)$/, 'TIMESTAMP WITH TIME ZONE', 'timestamp with time zone', 'timestamp'],
  [/^(datetime|timestamp without time zone)$/, 'TIMESTAMP', 'timestamp without time zone', 'timestamp_ntz'],
  [/^(decimal|numeric)$/, 'DECIMAL(18,3)', 'numeric', 'decimal(10,0)'],
];

/** In PostgreSQL, `timestamp` has no time zone; in Spark it has that of the session. */
const OWN: Readonly<Record<DialectName, (type: string) => string>> = {
  duckdb: (type) => type.toUpperCase().replace(/^(DECIMAL|NUMERIC)\s*\(\s*(\d+)\s*,\s*(\d+)\s*\)$/, 'DECIMAL($2,$3)'),
  postgres: (type) => {
    if (type === 'timestamp') return 'timestamp without time zone';
    return type.replace(/^decimal\s*\(/, 'numeric(');
  },
  spark: (type) => type.replace(/^numeric\s*\(/, 'decimal('),
};

/**
 * The name of a column's type as a dialect writes it: `float8` is `DOUBLE` in DuckDB. Types with values in quotes, such
 * as enums, and nested types stay as they are.
 */
export function typeName(dialect: string, type: string): string {
  if (/['"<[]/.test(type)) return type;
  const plain = type.toLowerCase().replaceAll(/\s+/g, ' ').trim();
  const found = NAMES.find(([synonyms]) => synonyms.test(plain));
  const [, duckdb, postgres, spark] = found ?? [];
  if (dialect === 'duckdb') return duckdb ?? OWN.duckdb(plain);
  if (dialect === 'postgres') return postgres ?? OWN.postgres(plain);
  return dialect === 'spark' ? (spark ?? OWN.spark(plain)) : type;
}
