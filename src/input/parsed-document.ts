import type { Problem } from '../diagnostics/index.js';

/** What a file holds, and everything that is wrong with it. With problems, the data may be a part of it. */
export interface ParsedDocument {
  readonly data: unknown;
  readonly problems: readonly Problem[];
}

/** How deep maps and lists may be nested: far more than is ever written, far less than what a stack holds. */
export const MAX_DEPTH = 100;
