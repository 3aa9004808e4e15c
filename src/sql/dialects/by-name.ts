import { duckdb } from './duckdb.js';
import { postgres } from './postgres.js';
import { spark } from './spark.js';

/** The dialects by name. */
export const DIALECTS = { duckdb, postgres, spark } as const;

/** The name of a dialect. */
export type DialectName = keyof typeof DIALECTS;

export const DIALECT_NAMES: readonly DialectName[] = ['duckdb', 'postgres', 'spark'];
