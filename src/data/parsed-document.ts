import type { Problem } from '../base/index.js';

/** The data of a document with its problems. If there are problems, the data may be incomplete. */
export interface ParsedDocument {
  readonly data: unknown;
  readonly problems: readonly Problem[];
}

/** Limits for a document that is validated and compiled. */
export interface DocumentLimits {
  /** The most values that all its maps and lists may hold. */
  readonly values: number;
}

/** The problem of a document that exceeds `DocumentLimits.values`. */
export const tooManyValues = (most: number): { readonly message: string; readonly hint: string } => ({
  message: `the file has more than ${most} values`,
  hint: 'move data into the candidates or the context',
});

/** The deepest nesting of maps and lists: far more than documents need, far less than overflows the stack. */
export const MAX_DEPTH = 100;

/** The message for data that is nested deeper. */
export const TOO_DEEP = `the data is nested more than ${MAX_DEPTH} deep`;

/**
 * Parses JSON as fast as `JSON.parse`.
 *
 * @param failed receives the error of `JSON.parse`
 * @returns undefined if it is invalid or nested too deep; `parseJsonWithPlaces` describes the problem
 */
export function tryParseJson(text: string, failed?: (error: unknown) => void): { readonly data: unknown } | undefined {
  try {
    const data: unknown = JSON.parse(text);
    return mayBeDeep(text) && isDeeperThan(MAX_DEPTH, data) ? undefined : { data };
  } catch (error) {
    failed?.(error);
    return undefined;
  }
}

/** Whether a text has enough brackets to exceed `MAX_DEPTH`. This is cheap, and few rows have. */
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

/** Whether maps and lists are nested more than `levels` deep. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const item of Array.isArray(value) ? value : Object.values(value)) {
    if (typeof item === 'object' && isDeeperThan(levels - 1, item)) return true;
  }
  return false;
}
