import {
  type CostedRow,
  defineSelector,
  type ParamsOf,
  type Selector,
  type SelectorFunction,
  type SelectorNotSelected,
  type SelectorResult,
  z,
} from '../../src/unit-sdk.js';
import { bestFirst, packNothing, pinnedRows, unpinnedRows } from './packing.js';

type Params = ParamsOf<typeof KnapsackPack>;

/** Scores are added up in whole ten-thousandths. */
const SCORE_UNITS = 10_000;

const scoreUnits = ({ score }: CostedRow): number => Math.max(0, Math.floor(score * SCORE_UNITS));

/**
 * Packs the combination of rows with the greatest sum of scores. Costs are rounded up to whole buckets and scores down
 * to whole ten-thousandths; the result is optimal in these units. A larger bucket is faster and wastes more room. Rows
 * without cost are always packed; of the others, a score below 0.0001 never is.
 *
 * This is Cupel's Knapsack. Its time is rows × buckets, its memory one bit for each of these. Above 50 million (6 MB,
 * some tenths of a second) it throws.
 */
export class KnapsackPack implements Selector<Params> {
  static readonly meta = defineSelector({
    summary: 'Packs the combination with the greatest sum of scores.',
    reads: 'params',
    params: z.strictObject({
      bucket_size: z
        .number()
        .positive()
        .default(100)
        .describe('Costs are rounded up to multiples of this. A larger bucket is faster and wastes more room.'),
    }),
    reasons: {
      no_budget: 'there is no room at all',
      too_large: 'it costs {cost}, {buckets} buckets of {bucket_size}, and there are {capacity}',
      worthless: 'its score of {score} is below {least}, so it counts as 0 and is not packed',
      not_best: 'the best combination for {room} is one without it: no single one has the place of its {cost}',
    },
  });

  prepare({ bucket_size }: Params): SelectorFunction {
    return (rows, { target }) => (target > 0 ? pack(rows, target, bucket_size) : packNothing(rows));
  }
}

function pack(rows: readonly CostedRow[], target: number, bucketSize: number): SelectorResult {
  const free = unpinnedRows(rows).filter(({ cost }) => cost === 0);
  const others = unpinnedRows(rows).filter(({ cost }) => cost > 0);
  const capacity = Math.floor(target / bucketSize);
  const buckets = others.map(({ cost }) => Math.ceil(cost / bucketSize));
  const chosen = solveKnapsack(buckets, others.map(scoreUnits), capacity);
  // From last to first, as in the reference: this order decides which of several equal rows a cap drops.
  const packed = others.filter((_, i) => chosen.has(i)).toReversed();
  const left = others.flatMap((row, i): SelectorNotSelected[] => {
    const { index, cost, score } = row;
    if (chosen.has(i)) return [];
    if (buckets[i]! > capacity) {
      const data = { cost, buckets: buckets[i]!, bucket_size: bucketSize, capacity };
      return [{ index, reason: 'too_large', data }];
    }
    if (scoreUnits(row) === 0) return [{ index, reason: 'worthless', data: { score, least: 1 / SCORE_UNITS } }];
    return [{ index, reason: 'not_best', data: { cost, room: target } }];
  });
  return { kept: [...pinnedRows(rows), ...bestFirst([...free, ...packed])], left };
}

/** The limit of table cells: each is one bit (6 MB in all) and one step of the innermost loop. */
const MAX_CELLS = 50_000_000;

/** The limit of buckets: each is a number (80 MB in all). */
const MAX_BUCKETS = 10_000_000;

/**
 * Solves the 0/1 knapsack by dynamic programming. Returns the positions with the greatest sum of values within the
 * capacity. A later item replaces earlier ones only for a strictly greater sum, and an item without value is never
 * selected. The time, and the memory in bits, is the number of items that fit × the capacity.
 *
 * @param weights whole numbers above 0
 * @param values whole numbers
 * @throws RangeError if that product is above 50 million, or the capacity is above 10 million
 */
function solveKnapsack(weights: readonly number[], values: readonly number[], capacity: number): ReadonlySet<number> {
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
