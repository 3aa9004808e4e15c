/**
 * A profile as one SQL statement, that refuses and scores where the rows are; the engine judges what the statement
 * leaves.
 *
 * @module
 */

export type { SqlEngine } from './engine.js';
export { type DuckDbOptions, duckDbEngine } from './engines/duckdb.js';
export { type PostgresClient, postgresEngine, postgresServer, type TableOptions } from './engines/postgres.js';
export { rankWith, type RankWithOptions } from './rank-with.js';
