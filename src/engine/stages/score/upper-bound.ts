import type { ScorerEntry } from '../../../profile/profile.js';
import { combineRow } from '../../combine-methods.js';
import type { Arithmetic } from '../../kernel/score-loop.js';
import { withSlack } from './resolve-score.js';

/** What a scorer that was not asked may still bring to a row. */
export interface ScoreBounds {
  readonly lower: number;
  readonly upper: number;
  /** Whether it may leave the row. */
  readonly maySkip: boolean;
}

/** What a scorer whose range is finite may give, and what its rules may put in the place of that. */
export function scoreBounds({ range, onAbsent, onError }: ScorerEntry): ScoreBounds {
  const rules = [onAbsent, onError];
  const ends = [
    ...(range ? withSlack(range) : [-Infinity, Infinity]),
    ...rules.filter((rule) => typeof rule === 'number'),
  ];
  return { lower: Math.min(...ends), upper: Math.max(...ends), maySkip: rules.includes('skip') };
}

/** Room for what the library's logarithm and exponential may miss by: nobody promises that they keep the order. */
const GEOMETRIC_SLACK = 1 + 1e-9;

/**
 * The most that a row can come to, whatever the scorers say that were not asked: the row's own arithmetic with each of
 * them at an end of what it may give. Nothing is added for rounding, which keeps the order in sums and products: in each
 * number alone they rise or fall, so that the most stands where all are at an end.
 *
 * @param values the settled scores; what stands at the positions of `open` is tried out
 * @param open   the positions of the scorers that were not asked; what each may bring is at its position in `prospects`
 * @returns −Infinity where nothing can be combined; Infinity where nothing can be told
 */
export function upperBound(
  arithmetic: Exclude<Arithmetic, 'formula'>,
  values: (number | undefined)[],
  weights: Float64Array,
  open: readonly number[],
  prospects: readonly ScoreBounds[],
  from = 0,
): number {
  if (from === open.length) return combinedBound(arithmetic, values, weights);
  const position = open[from]!;
  const { lower, upper, maySkip } = prospects[position]!;
  const rises = arithmetic !== 'sum' || !(weights[position]! < 0);
  values[position] = rises ? upper : lower;
  let best = upperBound(arithmetic, values, weights, open, prospects, from + 1);
  if (arithmetic === 'product') {
    values[position] = lower; // what the others multiply to may be negative
    best = Math.max(best, upperBound(arithmetic, values, weights, open, prospects, from + 1));
  }
  if (maySkip) {
    values[position] = undefined;
    best = Math.max(best, upperBound(arithmetic, values, weights, open, prospects, from + 1));
  }
  return best;
}

function combinedBound(
  arithmetic: Exclude<Arithmetic, 'formula'>,
  values: readonly (number | undefined)[],
  weights: Float64Array,
): number {
  const sum = combineRow(arithmetic, values, weights);
  if (sum === undefined) return -Infinity;
  if (Number.isNaN(sum)) return Infinity;
  return arithmetic === 'geometric' ? sum * GEOMETRIC_SLACK : sum;
}
