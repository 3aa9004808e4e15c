/** What a weight is multiplied by in turn; 0 leaves its scorer out. */
const FACTORS = [0, 0.5, 0.8, 0.9, 1.1, 1.25, 2];
const MOST_PASSES = 3;
/** A gain below this is rounding. */
const LEAST_GAIN = 1e-9;

/**
 * Coordinate ascent (Metzler and Croft 2007): tries other values for one weight at a time, and keeps what makes the
 * measure higher. The measure need not be smooth. O(passes × weights × evaluations).
 *
 * @param of the measure of some weights
 * @returns the best weights, which are the start where nothing is better
 */
export function ascend(start: Float64Array, of: (weights: Float64Array) => number, spent: () => boolean): Float64Array {
  let best = start.slice();
  let value = of(best);
  const least = Math.max(...best.map(Math.abs)) / 20;
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const before = value;
    for (let k = 0; k < best.length && !spent(); k++) {
      for (const factor of FACTORS) {
        const tried = best.slice();
        tried[k] = best[k] === 0 ? factor * least : best[k]! * factor;
        if (tried.every((weight) => weight === 0)) continue;
        const reached = of(tried);
        if (reached <= value + LEAST_GAIN) continue;
        [best, value] = [tried, reached];
      }
    }
    if (value <= before + LEAST_GAIN) break;
  }
  return best;
}
