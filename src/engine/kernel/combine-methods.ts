import type { CombineMethodName, CombineMethod } from '../../profile/index.js';

/** How the scores of a row become one number. Every loop, generated or not, and every bound uses these facts. */
export interface Arithmetic {
  /** The total without any score. −0 is the neutral element of addition; it even preserves the sign of a zero. */
  readonly start: number;
  /** The total with one more score. */
  readonly add: (total: number, score: number, weight: number) => number;
  /** The same as JavaScript text, with the score x_k and the weight w_k. */
  readonly addText: (total: string, k: number) => string;
  /** A function that is applied to the finished total, and its text. */
  readonly finish?: { readonly apply: (total: number) => number; readonly text: string };
  /** Whether it uses weights. If so, the total of the present scores is scaled by Σ|w| / Σ|w present|. */
  readonly weighted: boolean;
  /** Whether a score of weight 0 is skipped when its row is resolved, because 0 × log 0 is NaN. */
  readonly skipsZeroWeight: boolean;
  /** The lowest score for which it is defined. A lower one refuses the candidate. */
  readonly minScore: number;
  /** Whether the total may be finite despite a score that is infinite or below `minScore`. If so, each score is tested. */
  readonly hidesBadScores: boolean;
  /** For upper bounds: the end of its range at which a score raises the total most; `both` if it depends on other scores. */
  readonly highEnd: (weight: number) => 'upper' | 'lower' | 'both';
  /** A factor that covers rounding errors of library functions, which need not be monotonic. */
  readonly slack: number;
}

const sum: Arithmetic = {
  start: -0,
  add: (total, score, weight) => total + weight * score,
  addText: (total, k) => `${total}+w${k}*x${k}`,
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
  addText: (total, k) => `${total}*x${k}`,
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
  addText: (total, k) => `${total}+w${k}*Math.log(x${k})`,
  finish: { apply: Math.exp, text: 'Math.exp' },
  weighted: true,
  skipsZeroWeight: true,
  minScore: 0,
  hidesBadScores: false,
  highEnd: () => 'upper',
  slack: 1 + 1e-9,
};

/** A score of 0 makes the mean 0. `+ 0` removes the sign of a zero, which would select the sign of the infinity. */
const harmonic: Arithmetic = {
  ...geometric,
  add: (total, score, weight) => total + weight / (score + 0),
  addText: (total, k) => `${total}+w${k}/(x${k}+0)`,
  finish: { apply: (total) => 1 / total, text: '(total=>1/total)' },
  hidesBadScores: true,
  slack: 1,
};

const extremum = (which: 'min' | 'max'): Arithmetic => ({
  start: which === 'min' ? Infinity : -Infinity,
  add: (total, score) => Math[which](total, score),
  addText: (total, k) => `Math.${which}(${total},x${k})`,
  weighted: false,
  skipsZeroWeight: false,
  minScore: -Infinity,
  hidesBadScores: true,
  highEnd: () => 'upper',
  slack: 1,
});

/** The arithmetic of each combine method of `src/profile/combine-methods.ts`. A weighted mean is a sum whose weights add up to 1. */
export const ARITHMETICS: Readonly<Record<CombineMethodName, Arithmetic>> = {
  weighted_mean: sum,
  weighted_sum: sum,
  product,
  geometric_mean: geometric,
  harmonic_mean: harmonic,
  min: extremum('min'),
  max: extremum('max'),
};

/** The arithmetic of a combine method; undefined for a formula, which is one function of all scores. */
export const arithmeticOf = (combine: CombineMethod): Arithmetic | undefined =>
  typeof combine === 'string' ? ARITHMETICS[combine] : undefined;

/**
 * Combines one row of resolved scores, some of which may be missing. Missing scores are skipped; with weights, the total is
 * scaled by Σ|w| / Σ|w present|. The arithmetic and its order are those of the loop.
 *
 * @returns undefined without a score to combine, which leaves the candidate unscored; NaN if a score is below `minScore`
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

/** The operations of a rule on a score. */
const OPERATIONS = {
  set: (_score: number, amount: number) => amount,
  add: (score: number, amount: number) => score + amount,
  multiply: (score: number, amount: number) => score * amount,
  min: (score: number, amount: number) => Math.max(score, amount),
  max: (score: number, amount: number) => Math.min(score, amount),
} as const;

/** The same operations as text for generated loops. */
export const OPERATION_TEXTS: Readonly<Record<keyof typeof OPERATIONS, (score: string, amount: string) => string>> = {
  set: (_score, amount) => amount,
  add: (score, amount) => `${score}+${amount}`,
  multiply: (score, amount) => `${score}*${amount}`,
  min: (score, amount) => `Math.max(${score},${amount})`,
  max: (score, amount) => `Math.min(${score},${amount})`,
};

/** The score after one operation of a rule. */
export const applyOperation = (operation: keyof typeof OPERATIONS, score: number, amount: number): number =>
  OPERATIONS[operation](score, amount);
