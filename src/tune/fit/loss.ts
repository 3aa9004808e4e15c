/** What is learnt from: rows of features, in lists of which each is a query, with what each row should be. */
export interface Examples {
  readonly rows: number;
  readonly width: number;
  /** Row by row, each with `width` features. */
  readonly features: Float64Array;
  /** By row: its gain, 0 where it is not relevant. */
  readonly gains: Float64Array;
  /** By list: its first row; one more at the end, the number of rows. */
  readonly lists: Int32Array;
}

/** A convex loss of the rows' scores: its value, and its gradient into `slopes`. The mean over lists, or over rows. */
export type Loss = (scores: Float64Array, examples: Examples, slopes: Float64Array) => number;

/** How the first weights are found: from whole lists, from rows with two labels, from pairs within a list. */
export const LOSS_NAMES = ['lists', 'labels', 'pairs'] as const;

export type LossName = (typeof LOSS_NAMES)[number];

/**
 * ListNet with the probability of being first (Cao et al. 2007): the cross entropy between the shares of the gains and
 * the softmax of the scores. A list whose gains are all equal teaches nothing. O(rows).
 */
const lists: Loss = (scores, { gains, lists: starts }, slopes) => {
  let loss = 0;
  let count = 0;
  slopes.fill(0);
  for (let list = 0; list + 1 < starts.length; list++) {
    const [from, to] = [starts[list]!, starts[list + 1]!];
    let gain = 0;
    let top = -Infinity;
    for (let row = from; row < to; row++) {
      gain += gains[row]!;
      top = Math.max(top, scores[row]!);
    }
    if (!(gain > 0) || allEqual(gains, from, to)) continue;
    let mass = 0;
    for (let row = from; row < to; row++) mass += slopes[row] = Math.exp(scores[row]! - top);
    for (let row = from; row < to; row++) {
      const wanted = gains[row]! / gain;
      if (wanted > 0) loss -= wanted * (scores[row]! - top - Math.log(mass));
      slopes[row] = slopes[row]! / mass - wanted;
    }
    count += 1;
  }
  return divide(loss, slopes, count);
};

/** Logistic regression: how surely the score says whether a row has a gain. The intercept is the caller's. O(rows). */
const labels: Loss = (scores, { gains, rows }, slopes) => {
  let loss = 0;
  for (let row = 0; row < rows; row++) {
    const wanted = gains[row]! > 0 ? 1 : 0;
    loss += softplus(wanted === 1 ? -scores[row]! : scores[row]!);
    slopes[row] = 1 / (1 + Math.exp(-scores[row]!)) - wanted;
  }
  return divide(loss, slopes, rows);
};

/** Logistic loss of every pair of a list whose gains differ, as in RankNet; each list counts the same. O(Σ rows²). */
const pairs: Loss = (scores, { gains, lists: starts }, slopes) => {
  let loss = 0;
  let count = 0;
  slopes.fill(0);
  for (let list = 0; list + 1 < starts.length; list++) {
    const [from, to] = [starts[list]!, starts[list + 1]!];
    const found = countPairs(gains, from, to);
    if (found === 0) continue;
    for (let a = from; a < to; a++) {
      for (let b = from; b < to; b++) {
        if (!(gains[a]! > gains[b]!)) continue;
        const lead = scores[a]! - scores[b]!;
        const slope = 1 / (1 + Math.exp(lead)) / found;
        loss += softplus(-lead) / found;
        slopes[a]! -= slope;
        slopes[b]! += slope;
      }
    }
    count += 1;
  }
  return divide(loss, slopes, count);
};

export const LOSSES: Readonly<Record<LossName, Loss>> = { lists, labels, pairs };

/** log(1 + e^x), without an overflow. */
const softplus = (x: number): number => (x > 0 ? x : 0) + Math.log1p(Math.exp(-Math.abs(x)));

function allEqual(values: Float64Array, from: number, to: number): boolean {
  for (let row = from + 1; row < to; row++) if (values[row] !== values[from]) return false;
  return true;
}

function countPairs(gains: Float64Array, from: number, to: number): number {
  let count = 0;
  for (let a = from; a < to; a++) for (let b = from; b < to; b++) if (gains[a]! > gains[b]!) count += 1;
  return count;
}

function divide(loss: number, slopes: Float64Array, count: number): number {
  if (count === 0) return 0;
  for (let row = 0; row < slopes.length; row++) slopes[row]! /= count;
  return loss / count;
}
