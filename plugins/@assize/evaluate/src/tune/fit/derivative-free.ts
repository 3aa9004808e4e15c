import { type Random, randomNormal } from '../../significance/distributions.js';

/** The factors to try for each weight; 0 removes the scorer. */
const FACTORS = [0, 0.5, 0.8, 0.9, 1.1, 1.25, 2];
const MOST_PASSES = 3;
/** Smaller gains are rounding errors. */
const LEAST_GAIN = 1e-9;

/** Measures changes of one weight at a time. */
export interface Moves {
  /** Sets the current weights and returns their measure. */
  from(weights: Float64Array): number;
  /** The measure of the current weights with one change. */
  moved(position: number, weight: number): number;
  /** Applies a change to the current weights. */
  keep(position: number, weight: number): void;
}

/**
 * Coordinate ascent (Metzler and Croft 2007): tries other values for one weight at a time and keeps improvements. The measure need not be smooth. O(passes × weights × moves).
 *
 * @param free by position: whether to try its weight. Default: all
 * @returns the best weights; the start if nothing is better
 */
export function ascend(
  start: Float64Array,
  moves: Moves,
  spent: () => boolean,
  free?: readonly boolean[],
): Float64Array {
  const best = start.slice();
  let value = moves.from(best);
  const least = Math.max(...best.map(Math.abs)) / 20;
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const before = value;
    for (let k = 0; k < best.length && !spent(); k++) {
      if (free && !free[k]) continue;
      for (const factor of FACTORS) {
        const weight = best[k] === 0 ? factor * least : best[k]! * factor;
        if (weight === best[k] || (weight === 0 && best.every((one, other) => one === 0 || other === k))) continue;
        const reached = moves.moved(k, weight);
        if (reached <= value + LEAST_GAIN) continue;
        moves.keep(k, weight);
        best[k] = weight;
        value = reached;
      }
    }
    if (value <= before + LEAST_GAIN) break;
  }
  return best;
}

/** The range of a coordinate. */
export interface Bounds {
  readonly low: number;
  readonly high: number;
}

/** The initial step size, relative to the width of the bounds. */
const FIRST_STEP = 0.3;

/**
 * Maximizes a function without a gradient by the (1+1)-CMA-ES (Igel, Suttorp and Hansen 2006), which keeps one point and
 * adapts the size and direction of its steps. Points beyond a bound are reflected.
 *
 * @param of    the function; called about 20 + 10 n times
 * @param spent whether to stop, and return the best so far
 */
export async function cmaEs(
  start: readonly number[],
  bounds: readonly Bounds[],
  of: (point: readonly number[]) => Promise<number>,
  random: Random,
  spent: () => boolean,
): Promise<readonly number[]> {
  const n = start.length;
  const outer = (x: readonly number[]): number[] => x.map((part, k) => bounds[k]!.low + part * widthOf(bounds[k]!));
  let best = start.map((x, k) => reflected((x - bounds[k]!.low) / widthOf(bounds[k]!)));
  let value = await of(outer(best));
  let covariance = identity(n);
  let path = best.map(() => 0);
  let [step, successes] = [FIRST_STEP, 2 / 11];
  const [damping, towardsPath, towardsCovariance] = [1 + n / 2, 2 / (n + 2), 2 / (n * n + 6)];
  for (let taken = 0; taken < 20 + 10 * n && !spent(); taken++) {
    const direction = times(
      cholesky(covariance),
      best.map(() => randomNormal(random)),
    );
    const tried = best.map((x, k) => reflected(x + step * direction[k]!));
    // oxlint-disable-next-line no-await-in-loop -- each step depends on the last
    const reached = await of(outer(tried));
    const isBetter = reached >= value;
    successes = (11 / 12) * successes + (isBetter ? 1 / 12 : 0);
    step *= Math.exp((successes - 2 / 11) / (damping * (9 / 11)));
    if (!isBetter) continue;
    [best, value] = [tried, reached];
    const rare = successes < 0.44;
    const part = rare ? Math.sqrt(towardsPath * (2 - towardsPath)) : 0;
    path = path.map((x, k) => (1 - towardsPath) * x + part * direction[k]!);
    const kept = 1 - towardsCovariance + (rare ? 0 : towardsCovariance * towardsPath * (2 - towardsPath));
    covariance = covariance.map((row, a) => row.map((x, b) => kept * x + towardsCovariance * path[a]! * path[b]!));
  }
  return outer(best);
}

const widthOf = ({ low, high }: Bounds): number => high - low;

/** A number folded back into 0 to 1. */
function reflected(x: number): number {
  const within = Math.abs(x) % 2;
  return within > 1 ? 2 - within : within;
}

const identity = (n: number): number[][] =>
  Array.from({ length: n }, (_, a) => Array.from({ length: n }, (__, b) => (a === b ? 1 : 0)));

/** The lower triangle whose product with itself is a covariance. */
function cholesky(matrix: readonly (readonly number[])[]): number[][] {
  const lower = matrix.map((row) => row.map(() => 0));
  for (const [a, row] of matrix.entries()) {
    for (let b = 0; b <= a; b++) {
      let sum = row[b]!;
      for (let k = 0; k < b; k++) sum -= lower[a]![k]! * lower[b]![k]!;
      lower[a]![b] = a === b ? Math.sqrt(Math.max(sum, 1e-12)) : sum / lower[b]![b]!;
    }
  }
  return lower;
}

const times = (matrix: readonly (readonly number[])[], vector: readonly number[]): number[] =>
  matrix.map((row) => row.reduce((sum, x, k) => sum + x * vector[k]!, 0));
