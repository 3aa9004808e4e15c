import type { Context } from '../../contract/index.js';

/** A query as it was read, before its candidates are judged. */
export interface QueryDraft {
  readonly id: string;
  /** What the query's own line says of the request. */
  readonly context?: Context;
  /** Where paths are looked up that say something of the query: its own line, and its first candidate. */
  readonly described: readonly object[];
  readonly candidates: readonly object[];
  /** By candidate: its row in the file. */
  readonly rows: readonly number[];
  /** The judgements of its own line: by id, or by position of the candidate. */
  readonly judged?: ReadonlyMap<string, number> | readonly (number | undefined)[];
}
