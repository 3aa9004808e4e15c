/** The limit of the table's cells: each is a bit (6 MB in all) and a step of the innermost loop. */
const MAX_CELLS = 50_000_000;

/** The limit of buckets for any number of rows: each is a number (80 MB in all). */
const MAX_BUCKETS = 10_000_000;

/**
 * Solves the 0/1 knapsack by dynamic programming: the positions with the greatest sum of values within the capacity.
 *
 * A later item replaces earlier ones only for a strictly greater sum, and one without value is never chosen. Time, and
 * memory in bits, are the items that fit × the capacity.
 *
 * @param weights whole numbers above 0
 * @param values  whole numbers
 * @throws RangeError where that product is above 50 million, or the capacity is above 10 million
 */
export function solveKnapsack(
  weights: readonly number[],
  values: readonly number[],
  capacity: number,
): ReadonlySet<number> {
  const items = Array.from(weights, (_, i) => i).filter((i) => weights[i]! <= capacity && values[i]! > 0);
  const total = items.reduce((sum, i) => sum + weights[i]!, 0);
  if (total <= capacity) return new Set(items);
  const width = capacity + 1;
  checkSize(items.length, width);
  const best = new Float64Array(width);
  const taken = new Uint32Array(Math.ceil((items.length * width) / 32));
  for (const [k, i] of items.entries()) {
    const weight = weights[i]!;
    const value = values[i]!;
    for (let room = capacity; room >= weight; room--) {
      const withIt = best[room - weight]! + value;
      if (withIt <= best[room]!) continue;
      best[room] = withIt;
      const bit = k * width + room;
      taken[bit >>> 5]! |= 1 << (bit & 31);
    }
  }
  const chosen = new Set<number>();
  let room = capacity;
  for (let k = items.length - 1; k >= 0; k--) {
    const bit = k * width + room;
    if ((taken[bit >>> 5]! & (1 << (bit & 31))) === 0) continue;
    chosen.add(items[k]!);
    room -= weights[items[k]!]!;
  }
  return chosen;
}

function checkSize(items: number, width: number): void {
  const factor = Math.ceil(Math.max((items * width) / MAX_CELLS, width / MAX_BUCKETS));
  if (factor <= 1) return;
  throw new RangeError(
    `a knapsack of ${items} rows and ${width} buckets is too large (at most ${MAX_BUCKETS} buckets, and ${MAX_CELLS} ` +
      `for rows × buckets): make bucket_size ${factor} times as large, cut the rows with select.top, or use GreedyPack`,
  );
}
