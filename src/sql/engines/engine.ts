import type { Progress } from '../../contract/index.js';
import type { Dialect } from '../dialects/dialect.js';
import type { Relation } from '../rows/relation.js';
import type { SieveRow } from '../statement/sieve-rows.js';

/** A database that runs the sieve over its rows, or over files. */
export interface SqlEngine {
  readonly dialect: Dialect;
  /** The rows, for messages: `table films`. */
  readonly subject: string;
  /** What their columns are. */
  relation(): Promise<Relation>;
  /**
   * Runs the sieve.
   *
   * @param abort    stops the statement, which then fails
   * @param progress hears how far it is, in percent; where the database does not say that, without a total. The last
   *   step, also of one that failed, is 100 of 100
   */
  sieve(sql: string, abort?: AbortSignal, progress?: Progress): Promise<readonly SieveRow[]>;
  /** All candidates in order, for the process to judge. */
  candidates(relation: Relation, progress?: Progress): AsyncIterable<readonly object[]>;
  close(): Promise<void>;
}
