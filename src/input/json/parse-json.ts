import { MAX_DEPTH } from '../parsed-document.js';

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
function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const item of Array.isArray(value) ? value : Object.values(value)) {
    if (typeof item === 'object' && isDeeperThan(levels - 1, item)) return true;
  }
  return false;
}
