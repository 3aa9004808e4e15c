import type { CostedRow, SelectorFunction, SelectorLeftOut, SelectorNote } from '../../../contract/index.js';
import { toAssizeError } from '../../../diagnostics/index.js';
import type { PackEntry } from '../../../profile/index.js';
import { isWithin, limitsOf, roomForPinned, totalCost } from './budget.js';
import { reasonTemplatesOf, withReasonTemplates } from './left-out-reasons.js';
import { overflow } from './overflow.js';
import { pinnedFirst } from './pinned-first.js';
import type { Budget, BudgetUse } from './types.js';

/** The packed rows: the pinned, then the best first. */
export interface Packed {
  readonly kept: readonly CostedRow[];
  readonly left: readonly SelectorLeftOut[];
  readonly notes: readonly SelectorNote[];
  readonly budget: BudgetUse;
  readonly warnings: readonly string[];
}

/**
 * Packs rows into a budget. The budget's arithmetic is here: the packing class sees only the room that there is.
 *
 * @param rows the pinned, then the best first
 * @throws AssizeError where the pinned do not fit, or what must be in is over the target and `overflow` is `throw`
 */
export function pack(entry: PackEntry, budget: Budget, rows: readonly CostedRow[], select: SelectorFunction): Packed {
  const pinned = totalCost(rows.filter((row) => row.pinned));
  checkPinned(entry, budget, pinned);
  const limits = limitsOf(budget, pinned);
  const picked = select(rows, limits);
  const chosen = new Set(picked.kept.map(({ index }) => index));
  // The order of a packer does not count: placing is another class's, which is given the best first.
  const packed = rows.filter(({ index }) => chosen.has(index));
  const fitted = overflow(entry, budget, packed);
  const used = totalCost(fitted.kept);
  return {
    kept: fitted.kept,
    left: [...pinnedFirst(budget, rows, dropTruncated(picked.left, fitted.left)), ...fitted.left],
    budget: Object.freeze({
      target: budget.target,
      max: budget.max,
      outputReserve: budget.outputReserve,
      reservedSlots: budget.reservedSlots,
      safetyMargin: budget.safetyMargin,
      pinned,
      room: limits.target,
      used,
      unused: Math.max(0, limits.target - (used - pinned)),
    }),
    notes: picked.notes ?? [],
    warnings: picked.warnings ?? [],
  };
}

/** A row that was truncated is no longer in the place of another one. */
function dropTruncated(
  left: readonly SelectorLeftOut[],
  truncated: readonly SelectorLeftOut[],
): readonly SelectorLeftOut[] {
  if (truncated.length === 0) return left;
  const gone = new Set(truncated.map(({ index }) => index));
  return left.map((one) => {
    const { index, reason, data, keptInstead = [] } = one;
    if (!keptInstead.some((other) => gone.has(other))) return one;
    const kept = keptInstead.filter((other) => !gone.has(other));
    return withReasonTemplates({ index, reason, data, keptInstead: kept }, reasonTemplatesOf(one));
  });
}

function checkPinned({ place }: PackEntry, budget: Budget, pinned: number): void {
  const room = roomForPinned(budget);
  if (isWithin(pinned, room)) return;
  const { max, outputReserve, reservedSlots } = budget;
  const less = [
    ...(outputReserve > 0 ? [` − output_reserve ${outputReserve}`] : []),
    ...(reservedSlots > 0 ? [` − reserved_slots ${reservedSlots}`] : []),
  ].join('');
  const message = `the pinned candidates cost ${pinned}, and there is room for ${room} (max ${max}${less})`;
  const hint = 'pin less, or raise the budget';
  throw toAssizeError([{ code: 'ASZ510', message, path: 'select.pack', place, hint }]);
}
