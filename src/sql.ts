/**
 * A profile as one SQL statement, that refuses and scores where the rows are; the engine judges what the statement
 * leaves.
 *
 * @module
 */

export {
  type SqlEngine,
  type DuckDbOptions,
  duckDbEngine,
  postgresEngine,
  postgresServer,
  type PostgresClient,
  rankWith,
  rankGroupsWith,
  type RankGroupsWithOptions,
  type GroupRanking,
  type RankWithOptions,
  type TableOptions,
  translate,
  translatePlain,
  type PlainTranslateOptions,
  type TranslateOptions,
  type Translation,
  type PartNote,
  DIALECT_NAMES,
  type DialectName,
} from './scale/sql/index.js';
