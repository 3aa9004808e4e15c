import type { Arithmetic } from '../matrix/score-loop.js';
import type { ScorerEntry } from '../profile/profile.js';
import { combineRow } from './combine.js';
import { widened } from './settle.js';

/** What a scorer that was not asked may still bring to a row. */
export interface Prospect {
  readonly least: number;
  readonly most: number;
  /** Whether it may leave the row. */
  readonly missing: boolean;
}

/** What a scorer whose range is finite may give, and what its rules may put in the place of that. */
export function prospectOf({ range, onAbsent, onError }: ScorerEntry): Prospect {
  const rules = [onAbsent, onError];
  const ends = [
    ...(range ? widened(range) : [-Infinity, Infinity]),
    ...rules.filter((rule) => typeof rule === 'number'),
  ];
  return { least: Math.min(...ends), most: Math.max(...ends), missing: rules.includes('skip') };
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
export function mostOf(
  arithmetic: Exclude<Arithmetic, 'formula'>,
  values: (number | undefined)[],
  weights: Float64Array,
  open: readonly number[],
  prospects: readonly Prospect[],
  from = 0,
): number {
  if (from === open.length) return total(arithmetic, values, weights);
  const position = open[from]!;
  const { least, most, missing } = prospects[position]!;
  const rises = arithmetic !== 'sum' || !(weights[position]! < 0);
  values[position] = rises ? most : least;
  let best = mostOf(arithmetic, values, weights, open, prospects, from + 1);
  if (arithmetic === 'product') {
    values[position] = least; // what the others multiply to may be negative
    best = Math.max(best, mostOf(arithmetic, values, weights, open, prospects, from + 1));
  }
  if (missing) {
    values[position] = undefined;
    best = Math.max(best, mostOf(arithmetic, values, weights, open, prospects, from + 1));
  }
  return best;
}

function total(
  arithmetic: Exclude<Arithmetic, 'formula'>,
  values: readonly (number | undefined)[],
  weights: Float64Array,
): number {
  const sum = combineRow(arithmetic, values, weights);
  if (sum === undefined) return -Infinity;
  if (Number.isNaN(sum)) return Infinity;
  return arithmetic === 'geometric' ? sum * GEOMETRIC_SLACK : sum;
}
