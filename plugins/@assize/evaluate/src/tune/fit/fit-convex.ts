/** Training examples: rows of features with targets, grouped in lists (queries). */
export interface Examples {
  readonly rows: number;
  readonly width: number;
  /** Row by row, each with `width` features. */
  readonly features: Float64Array;
  /** The gain of each row; 0 if it is not relevant. */
  readonly gains: Float64Array;
  /** The first row of each list, and at the end the number of rows. */
  readonly lists: Int32Array;
}

/** A convex loss of scores: returns the mean over lists or rows and writes the gradient to `slopes`. */
type Loss = (scores: Float64Array, examples: Examples, slopes: Float64Array) => number;

/** The losses: over lists, over binary labels, over pairs within a list. */
export const LOSS_NAMES = ['lists', 'labels', 'pairs'] as const;

export type LossName = (typeof LOSS_NAMES)[number];

/**
 * ListNet with the probability of being first (Cao et al. 2007): the cross entropy between the shares of the gains and
 * the softmax of the scores. Lists with equal gains are skipped. O(rows).
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

/** Logistic regression of whether a row has a gain. The caller adds the intercept. O(rows). */
const labels: Loss = (scores, { gains, rows }, slopes) => {
  let loss = 0;
  for (let row = 0; row < rows; row++) {
    const wanted = gains[row]! > 0 ? 1 : 0;
    loss += softplus(wanted === 1 ? -scores[row]! : scores[row]!);
    slopes[row] = 1 / (1 + Math.exp(-scores[row]!)) - wanted;
  }
  return divide(loss, slopes, rows);
};

/** Logistic loss of all pairs of a list with different gains, as in RankNet; lists count equally. O(Σ rows²). */
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

const LOSSES: Readonly<Record<LossName, Loss>> = { lists, labels, pairs };

/** log(1 + e^x) without overflow. */
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

/** A convex problem: examples, a loss, bounds and regularization of the coefficients. */
interface ConvexProblem {
  readonly examples: Examples;
  readonly loss: LossName;
  /** By feature: the lower bound of its coefficient. */
  readonly floors: Float64Array;
  /** By feature: the value that regularization pulls the coefficient to. */
  readonly centre: Float64Array;
  /** By feature: the strength of regularization. */
  readonly pull: Float64Array;
}

/** The coefficients of least loss plus Σ pull × (coefficient − centre)². */
export function fitConvex(problem: ConvexProblem, start: Float64Array, spent?: () => boolean): Float64Array {
  const { centre, pull, floors, examples } = problem;
  const lossOf = linearLoss(examples, LOSSES[problem.loss]);
  const penalized = (point: Float64Array, slopes?: Float64Array): number => {
    let value = lossOf(point, slopes);
    for (let k = 0; k < point.length; k++) {
      const off = point[k]! - centre[k]!;
      value += pull[k]! * off * off;
      if (slopes) slopes[k]! += 2 * pull[k]! * off;
    }
    return value;
  };
  return minimize(penalized, start, floors, spent);
}

/** A loss as a function of coefficients, with its gradient. O(rows × features). */
function linearLoss(examples: Examples, loss: Loss) {
  const { rows, width, features } = examples;
  const scores = new Float64Array(rows);
  const slopes = new Float64Array(rows);
  return (point: Float64Array, into?: Float64Array): number => {
    for (let row = 0, at = 0; row < rows; row++) {
      let score = 0;
      for (let k = 0; k < width; k++, at++) score += point[k]! * features[at]!;
      scores[row] = score;
    }
    const value = loss(scores, examples, slopes);
    if (!into) return value;
    into.fill(0);
    for (let row = 0, at = 0; row < rows; row++) {
      const slope = slopes[row]!;
      for (let k = 0; k < width; k++, at++) into[k]! += slope * features[at]!;
    }
    return value;
  };
}

/** By feature: the mean and the standard deviation over the examples; 1 if it is constant. */
export function spreadOf({ rows, width, features }: Examples): {
  readonly means: Float64Array;
  readonly sds: Float64Array;
} {
  const means = new Float64Array(width);
  const sds = new Float64Array(width);
  for (let at = 0; at < features.length; at++) means[at % width]! += features[at]! / rows;
  for (let at = 0; at < features.length; at++) sds[at % width]! += (features[at]! - means[at % width]!) ** 2 / rows;
  return { means, sds: sds.map((variance) => Math.sqrt(variance) || 1) };
}

/** A differentiable function: returns its value and writes its gradient to `slopes` if given. */
type Smooth = (point: Float64Array, slopes?: Float64Array) => number;

const MOST_STEPS = 400;
/** Stop when a step improves the value by a smaller share. */
const CLOSE = 1e-6;

/**
 * Minimizes a convex function by accelerated projected gradients (FISTA, Beck and Teboulle 2009) with
 * backtracking, and restarts when the value rises (O'Donoghue and Candès 2015).
 *
 * @param start  the initial point; not modified
 * @param floors by coordinate: the lower bound; −Infinity if unbounded
 * @param spent  polled: whether to stop and return the best point so far
 */
function minimize(
  of: Smooth,
  start: Float64Array,
  floors: Float64Array,
  spent: () => boolean = () => false,
): Float64Array {
  const n = start.length;
  const slopes = new Float64Array(n);
  let point = start.map((x, k) => Math.max(x, floors[k]!));
  let ahead = point.slice();
  let value = of(point);
  let momentum = 1;
  let step = 1;
  for (let taken = 0; taken < MOST_STEPS && !(taken % 16 === 15 && spent()); taken++) {
    const here = of(ahead, slopes);
    let next = point;
    let reached = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < 60; tries++) {
      next = ahead.map((x, k) => Math.max(x - step * slopes[k]!, floors[k]!));
      reached = of(next);
      if (reached <= here + modelRise(next, ahead, slopes, step) + 1e-12) break;
      step /= 2;
    }
    if (reached > value) {
      if (momentum === 1) break; // a plain step does not help either: converged up to rounding
      momentum = 1;
      ahead = point.slice();
      continue;
    }
    const later = (1 + Math.sqrt(1 + 4 * momentum * momentum)) / 2;
    const before = point;
    ahead = next.map((x, k) => x + ((momentum - 1) / later) * (x - before[k]!));
    const gained = value - reached;
    [point, value, momentum] = [next, reached, later];
    step *= 1.3;
    if (gained < CLOSE * Math.max(1e-3, Math.abs(value)) && taken > 5) break;
  }
  return point;
}

/** The rise of the function that a quadratic bound of this step allows. */
function modelRise(next: Float64Array, from: Float64Array, slopes: Float64Array, step: number): number {
  let rise = 0;
  for (let k = 0; k < next.length; k++) {
    const moved = next[k]! - from[k]!;
    rise += slopes[k]! * moved + (moved * moved) / (2 * step);
  }
  return rise;
}
