/** Rounds after which Lloyd's algorithm ends, settled or not. */
const MAX_ITERATIONS = 100;

/** Distances that differ by no more are alike: rounding must not choose. */
const ROUNDING = 1e-9;

function squaredDistance(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i]! - b[i]!) ** 2;
  return sum;
}

/** The nearest of some centres; of equally near ones the first. */
function nearestCentre(point: Float64Array, centres: readonly Float64Array[]): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [k, centre] of centres.entries()) {
    const far = squaredDistance(point, centre);
    if (far < least - ROUNDING) [best, least] = [k, far];
  }
  return best;
}

/** The first point, then always the one that is furthest from all that were taken. */
function farthestFirst(points: readonly Float64Array[], count: number): Float64Array[] {
  const centres = points.slice(0, 1);
  const gaps = points.map(() => Number.POSITIVE_INFINITY);
  while (centres.length < count) {
    const last = centres.at(-1)!;
    let best = 0;
    for (const [i, point] of points.entries()) {
      const gap = Math.min(gaps[i]!, squaredDistance(point, last));
      gaps[i] = gap;
      if (gap > gaps[best]! + ROUNDING) best = i;
    }
    centres.push(points[best]!);
  }
  return centres;
}

function centroid(points: readonly Float64Array[], fallback: Float64Array): Float64Array {
  if (points.length === 0) return fallback;
  return fallback.map((_, i) => points.reduce((sum, point) => sum + point[i]!, 0) / points.length);
}

/**
 * Groups points by k-means (Lloyd 1982) from a fixed start, so that the same points always give the same groups.
 *
 * @returns the group of each point
 */
export function kMeans(points: readonly Float64Array[], count: number): readonly number[] {
  let centres = farthestFirst(points, count);
  let groups = points.map((point) => nearestCentre(point, centres));
  for (let round = 0; round < MAX_ITERATIONS; round++) {
    centres = centres.map((centre, k) =>
      centroid(
        points.filter((_, i) => groups[i] === k),
        centre,
      ),
    );
    const next = points.map((point) => nearestCentre(point, centres));
    if (next.every((group, i) => group === groups[i])) break;
    groups = next;
  }
  return groups;
}
