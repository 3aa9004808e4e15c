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

/** What is said of data that is nested deeper. */
export const TOO_DEEP = `the data is nested more than ${MAX_DEPTH} deep`;

/**
 * Parses a text as fast as `JSON.parse`.
 *
 * @returns undefined where it is not JSON, or nested too deep: `parseJsonWithPlaces` finds what is wrong, and where
 */
export function tryParseJson(text: string): { readonly data: unknown } | undefined {
  try {
    const data: unknown = JSON.parse(text);
    return mayBeDeep(text) && isDeeperThan(MAX_DEPTH, data) ? undefined : { data };
  } catch {
    return undefined;
  }
}

/** Whether a text has brackets enough for so many levels, which costs a row next to nothing: few have. */
function mayBeDeep(text: string): boolean {
  if (text.length <= 2 * MAX_DEPTH) return false; // each level has a bracket at both ends
  let count = 0;
  for (const bracket of ['[', '{']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      count += 1;
      if (count > MAX_DEPTH) return true;
    }
  }
  return false;
}

/** Whether maps and lists are nested in more levels than these. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const item of Array.isArray(value) ? value : Object.values(value)) {
    if (typeof item === 'object' && isDeeperThan(levels - 1, item)) return true;
  }
  return false;
}
