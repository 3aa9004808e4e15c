import type { PathReader } from '../../../src/sdk.js';

/**
 * The different values that a path gives over the items of a list, compared as `===` does (and NaN equal to itself). An
 * item without a value adds nothing; one with a list (`tags`, `calls[].name`) adds each of its elements.
 */
export function distinctValues(items: readonly unknown[], path: PathReader): ReadonlySet<unknown> {
  const values = new Set<unknown>();
  for (const item of items) {
    const value = path(item);
    if (value === undefined) continue;
    if (Array.isArray(value)) for (const element of value) values.add(element);
    else values.add(value);
  }
  return values;
}
