import { incompleteBeta, type Random, twoSidedNormal } from './distributions.js';
import { sumsByGroup } from './intervals.js';

/** The result of a test of paired differences. */
export interface TestResult {
  readonly statistic: number;
  /** The two-sided p-value; NaN if there is nothing to test. */
  readonly p: number;
}

/** Student's paired t-test of the mean difference, with n − 1 degrees of freedom. */
export function pairedT(differences: readonly number[]): TestResult & { readonly degrees: number } {
  const n = differences.length;
  const mean = differences.reduce((sum, one) => sum + one, 0) / n;
  const squares = differences.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  const statistic = mean / Math.sqrt(squares / (n - 1) / n);
  const degrees = n - 1;
  return { statistic, degrees, p: incompleteBeta(degrees / (degrees + statistic ** 2), degrees / 2, 0.5) };
}

/**
 * Wilcoxon's signed-rank test. Differences of 0 are dropped; equal differences share the mean of their ranks. Uses the exact
 * distribution for at most 50 differences without ties, else the normal approximation with a tie correction.
 */
export function wilcoxon(differences: readonly number[]): TestResult {
  const nonZero = differences.filter((one) => one !== 0).toSorted((a, b) => Math.abs(a) - Math.abs(b));
  const n = nonZero.length;
  if (n === 0) return { statistic: 0, p: Number.NaN };
  let positive = 0;
  let ties = 0;
  for (let from = 0, to = 0; from < n; from = to) {
    while (to < n && Math.abs(nonZero[to]!) === Math.abs(nonZero[from]!)) to += 1;
    const tied = to - from;
    ties += tied ** 3 - tied;
    for (let k = from; k < to; k++) if (nonZero[k]! > 0) positive += (from + to + 1) / 2;
  }
  const statistic = Math.min(positive, (n * (n + 1)) / 2 - positive);
  if (n <= MOST_EXACT_RANKS && ties === 0 && n === differences.length)
    return { statistic, p: exactSignedRank(statistic, n) };
  const mean = (n * (n + 1)) / 4;
  const variance = (n * (n + 1) * (2 * n + 1)) / 24 - ties / 48;
  return { statistic, p: twoSidedNormal((statistic - mean) / Math.sqrt(variance)) };
}

const MOST_EXACT_RANKS = 50;

/** The exact two-sided p-value of a signed-rank sum: counts the subsets of ranks by their sum. O(n³). */
function exactSignedRank(statistic: number, n: number): number {
  const most = (n * (n + 1)) / 2;
  const ways = new Float64Array(most + 1);
  ways[0] = 1;
  for (let rank = 1; rank <= n; rank++) for (let sum = most; sum >= rank; sum--) ways[sum]! += ways[sum - rank]!;
  let below = 0;
  for (let sum = 0; sum <= statistic; sum++) below += ways[sum]!;
  return Math.min(1, (2 * below) / 2 ** n);
}

/**
 * The exact two-sided sign test: the probability of a split at least this uneven if both sides win by chance. 1 without wins.
 *
 * The binomial tail is the regularized incomplete beta function: P(X ≤ k) = I½(n − k, k + 1).
 */
export function signTest(won: number, lost: number): number {
  const [count, fewer] = [won + lost, Math.min(won, lost)];
  if (won === lost) return 1;
  return Math.min(1, 2 * incompleteBeta(0.5, count - fewer, fewer + 1));
}

/** Sums of the same values in another order may differ by this much. */
const ROUNDING = 1e-12;
/** Up to this many nonzero differences, all signs are enumerated: 2 ** 15 sums, since opposite signs give opposite sums. */
const MOST_EXACT_SIGNS = 16;
/** With fewer samples beyond the observed sum than this, their share is too uncertain, and the tail is approximated. */
const FEW_BEYOND = 20;

/**
 * A sign-flip permutation test of the mean difference, two-sided: how often the mean is at least as far from 0 if each
 * difference has a random sign. All differences of a group have the same sign, so with G groups p is at least 2 / 2^G.
 *
 * Exact for up to 16 groups with differences. Otherwise p is the share of the samples, including the observed one. If that
 * share is too small to be counted, p is the saddlepoint approximation of the tail (Robinson 1982, JRSS B 44, 91–101), so
 * that it can be adjusted for many comparisons. Without differences it is 1. O(samples × n).
 *
 * @param groups by difference: its group. Without it, each is its own group.
 */
export function permutationTest(
  differences: readonly number[],
  samples: number,
  random: Random,
  groups?: readonly string[],
): number {
  const sums = sumsByGroup(differences, groups).map(({ sum }) => sum);
  const size = sums.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
  const moved = Float64Array.from(sums.filter((sum) => Math.abs(sum) > ROUNDING * size));
  if (moved.length === 0) return 1;
  const total = Math.abs(moved.reduce((sum, one) => sum + one, 0));
  const observed = total - ROUNDING * Math.max(1, differences.length);
  if (moved.length <= MOST_EXACT_SIGNS) return exactShare(moved, observed);
  let asFar = 1;
  for (let sample = 0; sample < samples; sample++) {
    let sum = 0;
    for (let k = 0; k < moved.length; k++) sum += random() < 0.5 ? moved[k]! : -moved[k]!;
    if (Math.abs(sum) >= observed) asFar += 1;
  }
  if (asFar >= FEW_BEYOND) return asFar / (samples + 1);
  return Math.min(asFar / (samples + 1), Math.max(2 ** (1 - moved.length), signFlipTail(moved, total)));
}

/** The share of all sign patterns whose sum is as far from 0. The first sign stays; each step flips one (a Gray code). */
function exactShare(moved: Float64Array, observed: number): number {
  const patterns = 2 ** (moved.length - 1);
  const signs = moved.map(() => 1);
  let sum = moved.reduce((all, one) => all + one, 0);
  let asFar = Math.abs(sum) >= observed ? 1 : 0;
  for (let step = 1; step < patterns; step++) {
    const k = 1 + (31 - Math.clz32(step & -step)); // the position of the lowest bit that is set
    const sign = -signs[k]!;
    signs[k] = sign;
    sum += 2 * sign * moved[k]!;
    if (Math.abs(sum) >= observed) asFar += 1;
  }
  return asFar / patterns;
}

/**
 * The two-sided tail of a sum of differences with random signs, by Lugannani and Rice's formula (1980): their cumulant
 * function is Σ log cosh(t d). For sums in the tail only.
 */
function signFlipTail(moved: Float64Array, total: number): number {
  const at = (t: number) => {
    let [logs, slope, curvature] = [0, 0, 0];
    for (const d of moved) {
      const x = Math.abs(t * d);
      const tanh = Math.tanh(x);
      logs += x + Math.log1p(Math.exp(-2 * x)) - Math.LN2;
      slope += Math.abs(d) * tanh;
      curvature += d * d * (1 - tanh * tanh);
    }
    return { logs, slope, curvature };
  };
  let [low, high] = [0, 1 / Math.abs(total)];
  while (at(high).slope < total && high < 1e12 / total) high *= 2;
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (at(middle).slope < total) low = middle;
    else high = middle;
  }
  const { logs, curvature } = at(low);
  const w = Math.sqrt(Math.max(0, 2 * (low * total - logs)));
  const u = low * Math.sqrt(curvature);
  const most = 2 * Math.exp((-w * w) / 2); // Chernoff's bound; exact if all differences have one sign
  if (!(w > 0 && u > 0)) return most;
  const density = most / 2 / Math.sqrt(2 * Math.PI);
  return Math.max(0, Math.min(most, twoSidedNormal(w) + 2 * density * (1 / u - 1 / w)));
}

/** Holm's adjusted p-values (1979): they control the family-wise error rate. */
export function holm(p: readonly number[]): readonly number[] {
  const adjusted = [...p];
  let least = 0; // an adjusted value is never smaller than the one before it
  for (const [k, at] of Array.from(p.keys())
    .sort((a, b) => p[a]! - p[b]!)
    .entries()) {
    least = Math.max(least, Math.min(1, p[at]! * (p.length - k)));
    adjusted[at] = least;
  }
  return adjusted;
}
