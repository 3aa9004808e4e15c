/**
 * A profile as one SQL statement, that refuses and scores where the rows are; the engine judges what the statement
 * leaves.
 *
 * @module
 */

export type { SqlEngine } from './engines/engine.js';
export { type DuckDbOptions, duckDbEngine } from './engines/duckdb.js';
export { postgresEngine, postgresServer, type PostgresClient } from './engines/postgres.js';
export { rankWith, type RankWithOptions } from './rank-with.js';
export type { TableOptions } from './relation.js';
export { translate, type TranslateOptions, type Translation } from './translate.js';
export type { PartNote } from './kept-rows.js';
export { DIALECT_NAMES, type DialectName } from './dialects.js';
