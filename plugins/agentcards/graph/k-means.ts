/** The rounds after which Lloyd's algorithm ends, converged or not. */
const MAX_ITERATIONS = 100;

/** Distances that differ by less count as equal, so that rounding decides nothing. */
const ROUNDING = 1e-9;

function squaredDistance(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i]! - b[i]!) ** 2;
  return sum;
}

/** The index of the nearest centre; of equally near ones the first. */
function nearestCentre(point: Float64Array, centres: readonly Float64Array[]): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [k, centre] of centres.entries()) {
    const distance = squaredDistance(point, centre);
    if (distance < least - ROUNDING) [best, least] = [k, distance];
  }
  return best;
}

/** Chooses the first point, then repeatedly the one furthest from all chosen ones. */
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

/** The mean of points; the fallback where there are none. */
function centroid(points: readonly Float64Array[], fallback: Float64Array): Float64Array {
  if (points.length === 0) return fallback;
  return fallback.map((_, i) => points.reduce((sum, point) => sum + point[i]!, 0) / points.length);
}

/**
 * Groups points by k-means (Lloyd 1982) with a deterministic start: the same points always give the same groups.
 *
 * @returns the number of each point's group
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
