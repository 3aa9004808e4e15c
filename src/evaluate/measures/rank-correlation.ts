import { meanOf } from '../mean.js';

/** Ranks from 1 on; equal values have the mean of theirs. */
function averageRanks(values: readonly number[]): Float64Array {
  const order = Array.from(values.keys()).sort((a, b) => values[a]! - values[b]!);
  const ranks = new Float64Array(values.length);
  for (let from = 0, to = 0; from < order.length; from = to) {
    while (to < order.length && values[order[to]!] === values[order[from]!]) to += 1;
    for (let k = from; k < to; k++) ranks[order[k]!] = (from + to + 1) / 2;
  }
  return ranks;
}

/** Spearman's ρ: the correlation of the ranks, from −1 to 1. NaN where either list has one value only. O(N log N). */
export function spearman(x: readonly number[], y: readonly number[]): number {
  const [a, b] = [averageRanks(x), averageRanks(y)];
  const [meanA, meanB] = [meanOf(a), meanOf(b)];
  let together = 0;
  let ofA = 0;
  let ofB = 0;
  for (let k = 0; k < a.length; k++) {
    const [dA, dB] = [a[k]! - meanA, b[k]! - meanB];
    together += dA * dB;
    ofA += dA * dA;
    ofB += dB * dB;
  }
  return together / Math.sqrt(ofA * ofB);
}

const pairs = (count: number): number => (count * (count - 1)) / 2;

/** The pairs of equal neighbours in a list in which equal ones stand together. */
function tiedPairs(count: number, isTied: (a: number, b: number) => boolean): number {
  let tied = 0;
  let run = 1;
  for (let k = 1; k <= count; k++) {
    if (k < count && isTied(k - 1, k)) run += 1;
    else {
      tied += pairs(run);
      run = 1;
    }
  }
  return tied;
}

/** How many pairs of a list stand in descending order: merge sort counts them as it sorts. O(N log N). */
function countInversions(values: number[]): number {
  if (values.length < 2) return 0;
  const half = values.length >> 1;
  const [left, right] = [values.slice(0, half), values.slice(half)];
  let inversions = countInversions(left) + countInversions(right);
  for (let at = 0, l = 0, r = 0; at < values.length; at++) {
    if (r === right.length || (l < left.length && left[l]! <= right[r]!)) values[at] = left[l++]!;
    else {
      values[at] = right[r++]!;
      inversions += left.length - l;
    }
  }
  return inversions;
}

/**
 * Kendall's τ-b: of the pairs that neither list ties, how many more agree than disagree, from −1 to 1; ties are corrected
 * for. NaN where either list has one value only. O(N log N) (Knight 1966).
 */
export function kendallTauB(x: readonly number[], y: readonly number[]): number {
  const order = Array.from(x.keys()).sort((a, b) => x[a]! - x[b]! || y[a]! - y[b]!);
  const count = order.length;
  const sameX = (a: number, b: number): boolean => x[order[a]!] === x[order[b]!];
  const inX = tiedPairs(count, sameX);
  const inBoth = tiedPairs(count, (a, b) => sameX(a, b) && y[order[a]!] === y[order[b]!]);
  const sorted = order.map((k) => y[k]!);
  const discordant = countInversions(sorted);
  const inY = tiedPairs(count, (a, b) => sorted[a] === sorted[b]);
  const all = pairs(count);
  const difference = all - inX - inY + inBoth - 2 * discordant;
  return difference / Math.sqrt((all - inX) * (all - inY));
}
