import { type CostedRow, largestFirst, type SelectorLeftOut } from '../../../contract/index.js';
import { limitsOf, totalCost } from './budget.js';
import { withSelectReasons } from './left-out-reasons.js';
import type { Budget } from './types.js';

/**
 * Gives the reason `pinned_first` to rows that were left out because of the pinned: each alone would have fitted the
 * target without them. In its place are the fewest of them, largest first, without which it fits.
 *
 * @param rows what was offered, the pinned among it
 */
export function pinnedFirst(
  budget: Budget,
  rows: readonly CostedRow[],
  left: readonly SelectorLeftOut[],
): readonly SelectorLeftOut[] {
  const pinned = largestFirst(rows.filter((row) => row.pinned));
  if (pinned.length === 0) return left;
  const targets = targetsWithout(budget, pinned);
  const { target } = limitsOf(budget, totalCost(pinned));
  const most = targets.at(-1)!;
  const costs = new Map(rows.map(({ index, cost }) => [index, cost]));
  const fits = (cost: number, room: number): boolean => room > 0 && cost <= room;
  return left.map((one): SelectorLeftOut => {
    const cost = costs.get(one.index) ?? 0;
    if (fits(cost, target) || !fits(cost, most)) return one;
    return withSelectReasons({
      index: one.index,
      reason: 'pinned_first',
      data: { cost, room: target, without: most },
      get keptInstead() {
        return pinned.slice(0, targets.findIndex((room) => fits(cost, room)) + 1).map(({ index }) => index);
      },
    });
  });
}

/** The target without the largest of the pinned, without the two largest, and so on. */
function targetsWithout(budget: Budget, pinned: readonly CostedRow[]): readonly number[] {
  let cost = totalCost(pinned);
  return pinned.map((row, k) => {
    cost = k === pinned.length - 1 ? 0 : cost - row.cost;
    return limitsOf(budget, cost).target;
  });
}
