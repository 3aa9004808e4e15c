import {
  defineSelector,
  type ParamsOf,
  type Selector,
  type SelectorFunction,
  type SelectorResult,
  z,
} from '../../src/sdk.js';
import { GreedyPass } from './greedy-pass.js';
import { packNothing, pinnedRows, unpinnedRows } from './packing.js';

type Params = ParamsOf<typeof GreedyPack>;

/**
 * Packs rows by score per cost, the densest first, each that still fits: one that does not fit is left out, and the
 * next is tried. Rows that cost nothing come first; of equally dense ones the better ranked. O(N log N).
 *
 * Cupel's Greedy. A negative score makes the larger row look denser, as it does there.
 */
export class GreedyPack implements Selector<Params> {
  static readonly meta = defineSelector({
    summary: 'Packs by score per cost: the densest first, each that still fits.',
    reads: 'params',
    params: z.strictObject({}),
    reasons: {
      no_budget: 'there is no room at all',
      too_large: 'it costs {cost}, more than all of the {room} there is',
      no_room: 'it costs {cost}, and at its turn {room} was left',
      behind: 'it costs {cost}, and at its turn {room} was left; {next} would have had the place before it',
    },
  });

  prepare(): SelectorFunction {
    return (rows, { target }) => (target > 0 ? pack(rows, target) : packNothing(rows));
  }
}

function pack(rows: Parameters<SelectorFunction>[0], target: number): SelectorResult {
  const pass = new GreedyPass(unpinnedRows(rows), target);
  return { kept: [...pinnedRows(rows), ...pass.kept], left: pass.left };
}
