import { incompleteBeta } from './beta.js';
import { twoSidedNormal } from './normal.js';

/** A test of paired differences: how likely one as large would be, on either side, if there were none. */
export interface TestResult {
  readonly statistic: number;
  /** Two-sided; NaN where there is nothing to test. */
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
 * Wilcoxon's signed-rank test. Differences of 0 are dropped; of equal ones each has the mean of their ranks. With no more
 * than 50, none of them equal, the exact distribution; else the normal one, with the variance corrected for ties.
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
  if (n <= EXACT && ties === 0 && n === differences.length) return { statistic, p: exactSignedRank(statistic, n) };
  const mean = (n * (n + 1)) / 4;
  const variance = (n * (n + 1) * (2 * n + 1)) / 24 - ties / 48;
  return { statistic, p: twoSidedNormal((statistic - mean) / Math.sqrt(variance)) };
}

const EXACT = 50;

/** How likely a signed-rank sum of n is at most as large, or as small: counts the sets of ranks of each sum. O(n³). */
function exactSignedRank(statistic: number, n: number): number {
  const most = (n * (n + 1)) / 2;
  const ways = new Float64Array(most + 1);
  ways[0] = 1;
  for (let rank = 1; rank <= n; rank++) for (let sum = most; sum >= rank; sum--) ways[sum]! += ways[sum - rank]!;
  let below = 0;
  for (let sum = 0; sum <= statistic; sum++) below += ways[sum]!;
  return Math.min(1, (2 * below) / 2 ** n);
}
