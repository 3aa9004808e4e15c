import { type CostedRow, defineSelector, type Selector, type SelectorFunction, z } from '../../src/sdk.js';
import { bestFirst } from './packing.js';

/**
 * Places the best rows at both ends, where a language model reads most closely, and the least in the middle: the best
 * first, the second last, the third second, and so on. A pinned row counts as score 1.
 *
 * Cupel's U-shaped placer.
 */
export class UShaped implements Selector<Record<string, never>> {
  static readonly meta = defineSelector({
    summary: 'Places the best at both ends and the least in the middle.',
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
