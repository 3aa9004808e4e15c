import { type CostedRow, fewestCovering, largestFirst, type SelectorLeftOut } from '../../src/sdk.js';
import { totalCost } from './packing.js';

/**
 * Who was left out because of what is required: a row that alone would have fitted the target without it. In its place
 * are the fewest of the required, largest first, that cover what it lacked.
 *
 * @param room what the required leave of the target
 */
export function attributeToRequired(
  left: readonly SelectorLeftOut[],
  rows: readonly CostedRow[],
  required: readonly CostedRow[],
  room: number,
  target: number,
): readonly SelectorLeftOut[] {
  if (required.length === 0) return left;
  const costs = new Map(rows.map(({ index, cost }) => [index, cost]));
  const largest = largestFirst(required);
  const lacking = totalCost(required) - target; // above 0 where the required alone are over the target
  return left.map((one): SelectorLeftOut => {
    const { index } = one;
    const cost = costs.get(index) ?? 0;
    if ((room > 0 && cost <= room) || cost > target) return one;
    const lacked = cost + (lacking > 0 ? lacking : -room);
    return {
      index,
      reason: 'required_first',
      data: { cost, room },
      get keptInstead() {
        return fewestCovering(largest, lacked).map((row) => row.index);
      },
    };
  });
}
