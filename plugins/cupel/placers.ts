import {
  type CostedRow,
  defineSelector,
  type ParamsOf,
  path,
  type Selector,
  type SelectorFunction,
  toMillis,
  z,
} from '../../src/unit-sdk.js';
import { bestFirst } from './packing.js';

type Params = ParamsOf<typeof Chronological>;

/**
 * Orders the selected rows by time, the oldest first. Rows without a time come last. Rows without a time, and rows of
 * equal times, keep their order.
 *
 * This is Cupel's Chronological placer.
 */
export class Chronological implements Selector<Params> {
  static readonly meta = defineSelector({
    summary: 'Orders the selected rows by time, the oldest first.',
    reads: 'params',
    params: z.strictObject({
      field: path('timestamp').describe('The path to the time: milliseconds, ISO 8601 or a Date.'),
    }),
  });

  prepare({ field }: Params): SelectorFunction {
    return (rows) => {
      const timed = rows.map((row) => {
        const time = field(row.candidate);
        return { row, at: time === undefined ? Infinity : toMillis(time) };
      });
      // Compare instead of subtracting: the difference of two infinities is NaN.
      timed.sort((a, b) => (a.at === b.at ? 0 : a.at < b.at ? -1 : 1));
      return { kept: timed.map(({ row }) => row), left: [] };
    };
  }
}

/**
 * Places the best rows at both ends, where a language model reads most closely, and the worst in the middle: the best
 * row first, the second best last, the third second, and so on. A pinned row counts as score 1.
 *
 * This is Cupel's U-shaped placer.
 */
export class UShaped implements Selector<Record<string, never>> {
  static readonly meta = defineSelector({
    summary: 'Places the best rows at both ends and the worst in the middle.',
    reads: 'params',
    params: z.strictObject({}),
  });

  prepare(): SelectorFunction {
    return (rows) => {
      const front: CostedRow[] = [];
      const back: CostedRow[] = [];
      for (const [rank, row] of bestFirst(rows).entries()) (rank % 2 === 0 ? front : back).push(row);
      return { kept: [...front, ...back.toReversed()], left: [] };
    };
  }
}
