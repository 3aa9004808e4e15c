import type { ScorerEntry } from '../../../profile/index.js';
import { type Arithmetic, combineRow } from '../../kernel/combine-methods.js';
import { withSlack } from './resolve-score.js';

/** What a scorer that has not seen a row may still give it. */
export interface ScoreBounds {
  readonly lower: number;
  readonly upper: number;
  /** Whether it may be left out of the row. */
  readonly maySkip: boolean;
}

/** The range of a scorer, widened by the numbers that its rules may put in its place. */
export function scoreBounds({ range, onAbsent, onError }: ScorerEntry): ScoreBounds {
  const rules = [onAbsent, onError];
  const ends = [
    ...(range ? withSlack(range) : [-Infinity, Infinity]),
    ...rules.filter((rule) => typeof rule === 'number'),
  ];
  return { lower: Math.min(...ends), upper: Math.max(...ends), maySkip: rules.includes('skip') };
}

/**
 * The upper bound of a row's total, whatever the scorers give that have not seen it: the row's own arithmetic with each
 * of them at an end of its range. Nothing is added for rounding, which keeps the order in sums and products: a total
 * rises or falls in each score alone, so that it is greatest where all are at an end.
 *
 * @param values the resolved scores; the positions of `open` are overwritten
 * @param open   the positions of the scorers that have not seen the row; `bounds` are by position
 * @returns −Infinity where nothing can be combined; Infinity where nothing is known
 */
export function upperBound(
  arithmetic: Arithmetic,
  values: (number | undefined)[],
  weights: Float64Array,
  open: readonly number[],
  bounds: readonly ScoreBounds[],
  from = 0,
): number {
  if (from === open.length) return combinedBound(arithmetic, values, weights);
  const position = open[from]!;
  const { lower, upper, maySkip } = bounds[position]!;
  const end = arithmetic.highEnd(weights[position]!);
  values[position] = end === 'lower' ? lower : upper;
  let best = upperBound(arithmetic, values, weights, open, bounds, from + 1);
  if (end === 'both') {
    values[position] = lower;
    best = Math.max(best, upperBound(arithmetic, values, weights, open, bounds, from + 1));
  }
  if (maySkip) {
    values[position] = undefined;
    best = Math.max(best, upperBound(arithmetic, values, weights, open, bounds, from + 1));
  }
  return best;
}

function combinedBound(arithmetic: Arithmetic, values: readonly (number | undefined)[], weights: Float64Array): number {
  const total = combineRow(arithmetic, values, weights);
  if (total === undefined) return -Infinity;
  return Number.isNaN(total) ? Infinity : total * arithmetic.slack;
}
