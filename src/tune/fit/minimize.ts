/** A function of several numbers: its value at a point, and where it is asked for its gradient there, into `slopes`. */
export type Smooth = (point: Float64Array, slopes?: Float64Array) => number;

const MOST_STEPS = 400;
/** A step that gains a smaller part of the value is the last one. */
const CLOSE = 1e-6;

/**
 * The least value of a convex function, by accelerated projected gradients (FISTA, Beck and Teboulle 2009) with
 * backtracking, and a restart whenever it rises (O'Donoghue and Candès 2015).
 *
 * @param start  where to begin; not changed
 * @param floors by coordinate: the least that it may be, −Infinity where it is free
 * @param spent  asked now and then: whether to stop and return the best point so far
 */
export function minimize(
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
      if (momentum === 1) break; // a plain step no longer helps: this is as low as rounding allows
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

/** How much a quadratic bound of this step allows the function to rise. */
function modelRise(next: Float64Array, from: Float64Array, slopes: Float64Array, step: number): number {
  let rise = 0;
  for (let k = 0; k < next.length; k++) {
    const moved = next[k]! - from[k]!;
    rise += slopes[k]! * moved + (moved * moved) / (2 * step);
  }
  return rise;
}
