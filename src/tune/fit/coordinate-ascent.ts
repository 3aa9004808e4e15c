/** What a weight is multiplied by in turn; 0 leaves its scorer out. */
const FACTORS = [0, 0.5, 0.8, 0.9, 1.1, 1.25, 2];
const MOST_PASSES = 3;
/** A gain below this is rounding. */
const LEAST_GAIN = 1e-9;

/** The measure of weights, and of others that differ from them in one. */
export interface Moves {
  /** The measure of some weights, from which is moved from now on. */
  from(weights: Float64Array): number;
  /** The measure where the weight at a position is another one. */
  moved(position: number, weight: number): number;
  /** Moves from there from now on. */
  keep(position: number, weight: number): void;
}

/**
 * Coordinate ascent (Metzler and Croft 2007): tries other values for one weight at a time, and keeps what makes the
 * measure higher. The measure need not be smooth. O(passes × weights × moves).
 *
 * @param free by position: whether its weight is tried; all when not given
 * @returns the best weights, which are the start where nothing is better
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
