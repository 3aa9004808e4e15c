import { type CostedRow, fewestCovering, largestFirst, type SelectorLeftOut } from '../../../contract/index.js';
import { toAssizeError } from '../../../diagnostics/index.js';
import type { PackEntry } from '../../../profile/index.js';
import { isWithin, totalCost } from './budget.js';
import { withSelectReasons } from './left-out-reasons.js';
import type { Budget } from './types.js';

interface Fitted {
  readonly kept: readonly CostedRow[];
  readonly left: readonly SelectorLeftOut[];
}

/**
 * Handles a selection that costs more than the whole target because of what has to be in, by the profile's `overflow`.
 *
 * @param kept the pinned, then the best first
 * @throws AssizeError with the numbers, where `overflow` is `throw`
 */
export function overflow({ overflow: rule, place }: PackEntry, { target }: Budget, kept: readonly CostedRow[]): Fitted {
  const cost = totalCost(kept);
  if (isWithin(cost, target) || rule === 'proceed') return { kept, left: [] };
  if (rule === 'truncate') return truncate(kept, target);
  const pinned = kept.filter((row) => row.pinned);
  const parts = `${totalCost(pinned)} for ${pinned.length} pinned, ${cost - totalCost(pinned)} for ${kept.length - pinned.length} others`;
  const hint = 'overflow: truncate keeps what still fits, overflow: proceed keeps everything; or raise the target';
  const message = `what must be in costs ${cost}, and the target is ${target} (${parts})`;
  throw toAssizeError([{ code: 'ASZ511', message, path: 'select.pack', place, hint }]);
}

/** Keeps the pinned, and of the others, best first, each that still fits. */
function truncate(rows: readonly CostedRow[], target: number): Fitted {
  const kept: CostedRow[] = [];
  const left: SelectorLeftOut[] = [];
  let used = 0;
  for (const row of rows) {
    if (row.pinned || isWithin(used + row.cost, target)) {
      kept.push(row);
      used += row.cost;
      continue;
    }
    const room = Math.max(0, target - used);
    const lacked = used + row.cost - target;
    const before = kept.length;
    left.push(
      withSelectReasons({
        index: row.index,
        reason: 'truncated',
        data: { cost: row.cost, room },
        get keptInstead() {
          return fewestCovering(largestFirst(kept.slice(0, before)), lacked).map(({ index }) => index);
        },
      }),
    );
  }
  return { kept, left };
}
