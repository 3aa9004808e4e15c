import type { CombineMethod, CombineMethodName } from '../../profile/index.js';

/** How the scores of a row become one number. Every loop, generated or not, and every bound reads these facts. */
export interface Arithmetic {
  /** The total of no scores: −0 changes nothing that is added to it, a zero's sign included. */
  readonly start: number;
  /** The total with one more score. */
  readonly add: (total: number, score: number, weight: number) => number;
  /** The same for several scores as JavaScript, in the same order: the total `start`, if any, then x_k with w[k]. */
  readonly text: (start: readonly string[], scorers: readonly number[]) => string;
  /** What is made of a finished total, and the same as the text of a function. */
  readonly finish?: { readonly apply: (total: number) => number; readonly text: string };
  /** Whether it reads weights, as its facts say: then the total of present scores is scaled by Σ|w| / Σ|w present|. */
  readonly weighted: boolean;
  /** Whether a score of weight 0 is left out where it is resolved: 0 × log 0 is NaN. */
  readonly skipsZeroWeight: boolean;
  /** The least score that it is defined for: a lesser one refuses the candidate. */
  readonly minScore: number;
  /** Whether a score that is infinite or below `minScore` may give a finite total: then each is tested by itself. */
  readonly hidesBadScores: boolean;
  /** For upper bounds: at which end of its range a score raises the total most; `both` where other scores decide. */
  readonly highEnd: (weight: number) => 'upper' | 'lower' | 'both';
  /** Room for what a library function may miss by: none promises to keep the order of its arguments. */
  readonly slack: number;
}

const terms = (
  start: readonly string[],
  scorers: readonly number[],
  term: (k: number) => string,
): readonly string[] => [...start, ...scorers.map(term)];

const sum: Arithmetic = {
  start: -0,
  add: (total, score, weight) => total + weight * score,
  text: (start, scorers) => terms(start, scorers, (k) => `w[${k}]*x${k}`).join('+'),
  weighted: true,
  skipsZeroWeight: false,
  minScore: -Infinity,
  hidesBadScores: false,
  highEnd: (weight) => (weight < 0 ? 'lower' : 'upper'),
  slack: 1,
};

const product: Arithmetic = {
  start: 1,
  add: (total, score) => total * score,
  text: (start, scorers) => terms(start, scorers, (k) => `x${k}`).join('*'),
  weighted: false,
  skipsZeroWeight: false,
  minScore: -Infinity,
  hidesBadScores: false,
  highEnd: () => 'both', // the product of the others may be negative
  slack: 1,
};

const geometric: Arithmetic = {
  start: -0,
  add: (total, score, weight) => total + weight * Math.log(score),
  text: (start, scorers) => terms(start, scorers, (k) => `w[${k}]*Math.log(x${k})`).join('+'),
  finish: { apply: Math.exp, text: 'Math.exp' },
  weighted: true,
  skipsZeroWeight: true,
  minScore: 0,
  hidesBadScores: false,
  highEnd: () => 'upper',
  slack: 1 + 1e-9,
};

const extremum = (which: 'min' | 'max'): Arithmetic => ({
  start: which === 'min' ? Infinity : -Infinity,
  add: (total, score) => Math[which](total, score),
  text: (start, scorers) => `Math.${which}(${terms(start, scorers, (k) => `x${k}`).join(',')})`,
  weighted: false,
  skipsZeroWeight: false,
  minScore: -Infinity,
  hidesBadScores: true,
  highEnd: () => 'upper',
  slack: 1,
});

/** The arithmetic of each way to combine. The means differ from the sum in their weights only: theirs sum to 1. */
export const ARITHMETICS: Readonly<Record<CombineMethodName, Arithmetic>> = {
  weighted_mean: sum,
  weighted_sum: sum,
  product,
  geometric_mean: geometric,
  min: extremum('min'),
  max: extremum('max'),
};

/** Undefined for a formula: one function of all scores. */
export const arithmeticOf = (combine: CombineMethod): Arithmetic | undefined =>
  typeof combine === 'string' ? ARITHMETICS[combine] : undefined;

/**
 * Combines one row of resolved scores, some of which may be missing: by weights the rest is scaled by
 * Σ|w| / Σ|w present|, elsewhere what is missing is left out. The loop's arithmetic, in the same order.
 *
 * @returns undefined where there is no score to combine: the candidate is unscored; NaN where one is below `minScore`
 */
export function combineRow(
  { start, add, finish, weighted, skipsZeroWeight, minScore }: Arithmetic,
  values: readonly (number | undefined)[],
  weights: Float64Array,
): number | undefined {
  if (values.length === 0) return 0; // a filter: nothing is scored
  let total = start;
  let all = 0;
  let here = 0;
  let present = 0;
  for (let k = 0; k < values.length; k++) {
    const value = values[k];
    const weight = weights[k] ?? 1;
    all += Math.abs(weight);
    if (value === undefined) continue;
    if (value < minScore) return Number.NaN;
    here += Math.abs(weight);
    present += 1;
    if (weight !== 0 || !skipsZeroWeight) total = add(total, value, weight);
  }
  if (present === 0) return undefined;
  if (!weighted) return total;
  if (!(here > 0)) return undefined;
  const scaled = here < all ? total * (all / here) : total;
  return finish ? finish.apply(scaled) : scaled;
}
