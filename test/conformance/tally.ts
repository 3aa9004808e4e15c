import type { SkipName } from './skips.js';

/** One case whose result differs from the reference's. */
export interface Difference {
  /** The case: an id, and how it was run. */
  readonly name: string;
  readonly expected: string;
  readonly found: string;
}

/** The results of the cases of one file. */
export interface Tally {
  readonly passed: number;
  readonly failed: readonly Difference[];
  readonly skipped: readonly { readonly name: SkipName; readonly cases: number }[];
}

export const skip = (name: SkipName, cases: number): Tally => ({ passed: 0, failed: [], skipped: [{ name, cases }] });

/** Several tallies as one. */
export const sum = (...tallies: readonly Tally[]): Tally => ({
  passed: tallies.reduce((total, { passed }) => total + passed, 0),
  failed: tallies.flatMap(({ failed }) => failed),
  skipped: tallies.flatMap(({ skipped }) => skipped),
});

/** A number of the reference for a case. */
export interface Expected {
  readonly name: string;
  readonly score: number;
}

/** Compares numbers by position; a missing score is `undefined` and differs from any number. */
export function compare(
  expected: readonly Expected[],
  found: readonly (number | undefined)[],
  tolerance: number,
): Tally {
  const failed = expected.flatMap(({ name, score }, index): Difference[] => {
    const value = found[index];
    if (value !== undefined && Math.abs(value - score) <= tolerance) return [];
    return [{ name, expected: `${score} ± ${tolerance}`, found: String(value ?? 'no score') }];
  });
  return { passed: expected.length - failed.length, failed, skipped: [] };
}

/** One case: the data of the reference, and the call that computes ours. */
export interface Case {
  readonly name: string;
  readonly expected: unknown;
  readonly found: unknown;
}

/** Numbers within the tolerance, everything else exactly; of a map only the expected keys. */
function agrees(expected: unknown, found: unknown, tolerance: number): boolean {
  if (typeof expected === 'number' && typeof found === 'number') return Math.abs(expected - found) <= tolerance;
  if (typeof expected !== 'object' || expected === null) return Object.is(expected, found);
  if (typeof found !== 'object' || found === null || Array.isArray(expected) !== Array.isArray(found)) return false;
  if (Array.isArray(expected) && Array.isArray(found) && expected.length !== found.length) return false;
  return Object.entries(expected).every(([key, value]) => agrees(value, Reflect.get(found, key), tolerance));
}

/** Compares data, case by case. */
export function agree(cases: readonly Case[], tolerance: number): Tally {
  const failed = cases.flatMap(({ name, expected, found }): Difference[] =>
    agrees(expected, found, tolerance)
      ? []
      : [{ name, expected: JSON.stringify(expected), found: JSON.stringify(found) ?? 'nothing' }],
  );
  return { passed: cases.length - failed.length, failed, skipped: [] };
}
