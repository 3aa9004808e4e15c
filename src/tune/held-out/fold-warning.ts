import type { Problem } from '../../diagnostics/index.js';
import type { Interval } from '../../evaluate/significance/intervals.js';
import type { HeldOut } from './held-out.js';

/**
 * Warns where folds by one thing say what folds by another do not: another verdict, or a gain whose interval lies wholly
 * beyond the other's. Then what was learnt is, in part, that thing.
 */
export function foldWarning([first, ...others]: readonly HeldOut[]): readonly Problem[] {
  if (!first) return [];
  return others
    .filter((other) => other.verdict !== first.verdict || isApart(first.interval, other.interval))
    .map(({ by, verdict, difference }) => ({
      code: 'ASZ735',
      message: `by ${first.by} the verdict is ${first.verdict} (${signed(first.difference)}), by ${by} ${verdict} (${signed(difference)})`,
      hint: `what was found may recognise the ${by}, and not what is good: measure on what comes from elsewhere`,
    }));
}

const isApart = (a: Interval, b: Interval): boolean => a[1] < b[0] || b[1] < a[0];

const signed = (x: number): string => `${x < 0 ? '−' : '+'}${Math.abs(x).toFixed(3)}`;
