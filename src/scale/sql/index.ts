/**
 * What other modules use of `scale/sql`.
 *
 * @module
 */

export { DIALECT_NAMES, type DialectName } from './dialects.js';
export { duckDbEngine, type DuckDbOptions } from './engines/duckdb.js';
export type { SqlEngine } from './engines/engine.js';
export { type PostgresClient, postgresEngine, postgresServer } from './engines/postgres.js';
export type { PartNote } from './kept-rows.js';
export { translatePlain, type PlainTranslateOptions } from './plain/translate-plain.js';
export type { GroupRanking } from './group-ranker.js';
export { rankCompiledGroups, rankGroupsWith, type RankGroupsWithOptions } from './rank-groups-with.js';
export { rankCompiledWith, rankWith, type RankWithOptions } from './rank-with.js';
export type { TableOptions } from './relation.js';
export { translate, type TranslateOptions, type Translation } from './translate.js';
