import type { Problem } from '../diagnostics/index.js';

/** What a file holds, and everything that is wrong with it. With problems, the data may be a part of it. */
export interface ParsedDocument {
  readonly data: unknown;
  readonly problems: readonly Problem[];
}

/** What a document may be at most, for one whose data is checked and compiled. */
export interface DocumentLimits {
  /** How many values its maps and lists hold. */
  readonly values: number;
}

/** The problem of a document with more values than it may have. */
export const tooManyValues = (most: number): { readonly message: string; readonly hint: string } => ({
  message: `the file has more than ${most} values`,
  hint: 'data goes into the candidates or the context',
});

/** How deep maps and lists may be nested: far more than is ever written, far less than what a stack holds. */
export const MAX_DEPTH = 100;
