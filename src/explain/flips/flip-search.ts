/** Numbers that may be tried, ends included. */
export interface Domain {
  readonly least: number;
  readonly most: number;
}

/** A number that turns two candidates, next to one that does not. */
export interface FlipPoint {
  readonly threshold: number;
  readonly to: number;
}

/** How many steps of equal size are tried on each side, and how many times a step is halved and doubled. */
const EVEN_STEPS = 48;
const HALVINGS = 30;
const DOUBLINGS = 40;
const MAX_BISECTIONS = 200;

/**
 * The number between two that turns, next to one that does not: no double lies between, unless they are very far apart.
 *
 * @param out a number that does not turn
 * @param on  one that does
 */
function bisect(turns: (t: number) => boolean, out: number, on: number): FlipPoint {
  let [low, high] = [out, on];
  for (let k = 0; k < MAX_BISECTIONS; k++) {
    const middle = low + (high - low) / 2;
    if (middle === low || middle === high) break;
    if (turns(middle)) high = middle;
    else low = middle;
  }
  return { threshold: low, to: high };
}

/**
 * The number just beyond a root, seen from where it starts, that turns two candidates: rounding may take a few more
 * steps than one.
 */
export function flipBeyondRoot(
  turns: (t: number) => boolean,
  root: number,
  direction: 1 | -1,
  start: number,
  { least, most }: Domain,
): number | undefined {
  let step = Number.EPSILON * Math.max(Math.abs(root), Math.abs(start), 1e-9);
  for (let k = 0; k < HALVINGS; k++, step *= 2) {
    const t = Math.min(most, Math.max(least, root + direction * step));
    if (!turns(t)) continue;
    const before = root - direction * step;
    const outside = before < least || before > most || (before - start) * direction < 0 ? start : before;
    return turns(outside) ? t : bisect(turns, outside, t).to;
  }
  return undefined;
}

/**
 * The nearest number that turns two candidates, by trying: at distances that grow, then between the last two. At most
 * some 400 numbers are tried; a stretch that lies between two tries is not seen.
 */
export function searchFlip(turns: (t: number) => boolean, start: number, domain: Domain): FlipPoint | undefined {
  if (turns(start)) return { threshold: start, to: start };
  const found = [1, -1].flatMap((direction) => {
    let out = start;
    for (const t of probePoints(start, direction, direction > 0 ? domain.most : domain.least)) {
      if (turns(t)) return [bisect(turns, out, t)];
      out = t;
    }
    return [];
  });
  return found.toSorted((x, y) => Math.abs(x.to - start) - Math.abs(y.to - start))[0];
}

/** What is tried in one direction, nearest first. */
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
