import { duckdb } from './dialects/duckdb.js';
import { postgres } from './dialects/postgres.js';
import { spark } from './dialects/spark.js';

/** The dialects by name. */
export const DIALECTS = { duckdb, postgres, spark } as const;

/** The name of a dialect. */
export type DialectName = keyof typeof DIALECTS;

export const DIALECT_NAMES: readonly DialectName[] = ['duckdb', 'postgres', 'spark'];
