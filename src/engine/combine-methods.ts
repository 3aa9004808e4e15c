import type { CombineMethod } from '../profile/profile.js';
import { type Arithmetic, START } from './kernel/score-loop.js';

/** The arithmetic of each way to combine. The means differ from the sum in their weights only: those sum to 1. */
export function arithmeticOf(combine: CombineMethod): Arithmetic {
  if (typeof combine !== 'string') return 'formula';
  const arithmetics = {
    weighted_mean: 'sum',
    weighted_sum: 'sum',
    product: 'product',
    geometric_mean: 'geometric',
    min: 'min',
    max: 'max',
  } as const;
  return arithmetics[combine];
}

/**
 * Combines one row of settled scores, some of which may be missing: in the sums the rest is scaled by
 * Σ|w| / Σ|w present|, elsewhere what is missing is left out. The loop's arithmetic once more, in the same order.
 *
 * @returns undefined where nothing is left to combine: the candidate is unscored
 */
export function combineRow(
  arithmetic: Exclude<Arithmetic, 'formula'>,
  values: readonly (number | undefined)[],
  weights: Float64Array,
): number | undefined {
  if (values.length === 0) return 0; // a filter: nothing is scored
  let sum = START[arithmetic];
  let all = 0;
  let here = 0;
  let present = 0;
  for (let k = 0; k < values.length; k++) {
    const value = values[k];
    const weight = weights[k] ?? 1;
    all += Math.abs(weight);
    if (value === undefined) continue;
    here += Math.abs(weight);
    present += 1;
    if (arithmetic === 'sum') sum += weight * value;
    else if (arithmetic === 'geometric') sum += weight === 0 ? 0 : weight * Math.log(value);
    else if (arithmetic === 'product') sum *= value;
    else sum = Math[arithmetic](sum, value);
  }
  if (present === 0) return undefined;
  if (arithmetic === 'product' || arithmetic === 'min' || arithmetic === 'max') return sum;
  if (!(here > 0)) return undefined;
  const whole = here < all ? sum * (all / here) : sum;
  return arithmetic === 'geometric' ? Math.exp(whole) : whole;
}
