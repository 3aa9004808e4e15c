/** How two orders agree at the top. */
export interface Overlap {
  /** How many of the first `top` of one are among the first `top` of the other. */
  readonly shared: number;
  readonly top: number;
  /** Rank-biased overlap, from 0, nothing in common, to 1, the same order. */
  readonly rbo: number;
}

/** How much a rank counts beside the one before it. */
const PERSISTENCE = 0.9;
/** With this persistence, ranks behind it together weigh less than 0.0001. */
const DEPTH = 100;

/**
 * Compares the first of two orders of the same things, given by position, best first.
 *
 * `rbo` is the extrapolated rank-biased overlap of Webber, Moffat and Zobel (2010), with p = 0.9, over the first hundred.
 */
export function overlapOf(a: ArrayLike<number>, b: ArrayLike<number>, top: number): Overlap {
  const depth = Math.min(DEPTH, Math.max(a.length, b.length));
  const seen = new Set<number>();
  let [common, sum, agreement] = [0, 0, 1];
  for (let k = 0; k < depth; k++) {
    for (const next of [a[k], b[k]]) {
      if (next === undefined) continue;
      if (seen.has(next)) common += 1;
      else seen.add(next);
    }
    agreement = common / (k + 1);
    sum += agreement * PERSISTENCE ** (k + 1);
  }
  const rbo = depth === 0 ? 1 : agreement * PERSISTENCE ** depth + ((1 - PERSISTENCE) / PERSISTENCE) * sum;
  const first = new Set(Array.from({ length: Math.min(top, a.length) }, (_, k) => a[k]!));
  const shared = Array.from({ length: Math.min(top, b.length) }, (_, k) => b[k]!).filter((one) =>
    first.has(one),
  ).length;
  return { shared, top: Math.min(top, Math.max(a.length, b.length)), rbo: Math.min(rbo, 1) };
}
