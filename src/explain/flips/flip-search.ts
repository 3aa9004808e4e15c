/** An interval of numbers to try, ends included. */
export interface Domain {
  readonly least: number;
  readonly most: number;
}

/** A number that flips two candidates (`to`), next to one that does not (`threshold`). */
export interface FlipPoint {
  readonly threshold: number;
  readonly to: number;
}

/** How many equal steps are tried on each side, and how often a step is halved and doubled. */
const EVEN_STEPS = 48;
const HALVINGS = 30;
const DOUBLINGS = 40;
const MAX_BISECTIONS = 200;

/**
 * Bisects down to two adjacent doubles, unless the two numbers are very far apart.
 *
 * @param from a number that does not flip
 * @param to   one that does
 */
function bisect(flips: (t: number) => boolean, from: number, to: number): FlipPoint {
  let [low, high] = [from, to];
  for (let k = 0; k < MAX_BISECTIONS; k++) {
    const middle = low + (high - low) / 2;
    if (middle === low || middle === high) break;
    if (flips(middle)) high = middle;
    else low = middle;
  }
  return { threshold: low, to: high };
}

/**
 * The nearest number beyond a root, seen from the start, that flips: because of rounding it may be some steps away.
 */
export function flipBeyondRoot(
  flips: (t: number) => boolean,
  root: number,
  direction: 1 | -1,
  start: number,
  { least, most }: Domain,
): number | undefined {
  let step = Number.EPSILON * Math.max(Math.abs(root), Math.abs(start), 1e-9);
  for (let k = 0; k < HALVINGS; k++, step *= 2) {
    const t = Math.min(most, Math.max(least, root + direction * step));
    if (!flips(t)) continue;
    const before = root - direction * step;
    const outside = before < least || before > most || (before - start) * direction < 0 ? start : before;
    return flips(outside) ? t : bisect(flips, outside, t).to;
  }
  return undefined;
}

/**
 * The nearest number that flips, by trying: at growing distances, then by bisection between the last two. Tries at most
 * some 400 numbers; an interval between two tries may be missed.
 */
export function searchFlip(flips: (t: number) => boolean, start: number, domain: Domain): FlipPoint | undefined {
  if (flips(start)) return { threshold: start, to: start };
  const found = [1, -1].flatMap((direction) => {
    let last = start;
    for (const t of probePoints(start, direction, direction > 0 ? domain.most : domain.least)) {
      if (flips(t)) return [bisect(flips, last, t)];
      last = t;
    }
    return [];
  });
  return found.toSorted((x, y) => Math.abs(x.to - start) - Math.abs(y.to - start))[0];
}

/** The numbers to try in one direction, nearest first. */
function probePoints(start: number, direction: number, limit: number): readonly number[] {
  const room = Math.abs(limit - start);
  const span = Math.min(room, 4 * Math.max(Math.abs(start), 1));
  if (!(span > 0)) return [];
  const small = Array.from({ length: HALVINGS }, (_, k) => span * 2 ** (k - HALVINGS));
  const even = Array.from({ length: EVEN_STEPS }, (_, k) => (span * (k + 1)) / EVEN_STEPS);
  const large = Array.from({ length: DOUBLINGS }, (_, k) => span * 2 ** (k + 1));
  const distances = [...small, ...even, ...large].filter((distance) => distance < room).toSorted((x, y) => x - y);
  const points = distances.map((distance) => start + direction * distance);
  return Number.isFinite(limit) ? [...points, limit] : points;
}
