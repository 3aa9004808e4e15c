/**
 * A profile as one SQL statement, that refuses and scores where the rows are; the engine judges what the statement
 * leaves.
 *
 * @module
 */

export type { SqlEngine } from './engines/engine.js';
export { type DuckDbOptions, duckDbEngine } from './engines/duckdb.js';
export { postgresEngine, postgresServer } from './engines/postgres.js';
export type { PostgresClient } from './engines/postgres-table.js';
export { rankWith, type RankWithOptions } from './rank-with.js';
export type { TableOptions } from './rows/table.js';
export { translate, type TranslateOptions, type Translation } from './translate.js';
export type { PartNote } from './stages/kept-rows.js';
export { DIALECT_NAMES, type DialectName } from './dialects/by-name.js';
