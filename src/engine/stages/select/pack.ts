import {
  type CostedRow,
  fewestCovering,
  largestFirst,
  type Optimality,
  type SelectorFunction,
  type SelectorNotSelected,
  type SelectorLimits,
  type SelectorNote,
} from '../../../sdk/index.js';
import { toAssizeError } from '../../../base/index.js';
import type { PackEntry } from '../../../profile/index.js';
import type { UnitsToPack } from './contracts.js';
import {
  type Budget,
  type BudgetOptimality,
  type BudgetUse,
  reasonTemplatesOf,
  withReasonTemplates,
  withSelectReasons,
} from './select-plan.js';

/** The packed rows: pinned rows, then the best first. */
interface Packed {
  readonly kept: readonly CostedRow[];
  readonly left: readonly SelectorNotSelected[];
  readonly notes: readonly SelectorNote[];
  readonly budget: BudgetUse;
  readonly warnings: readonly string[];
  /** By position in the input of a kept row: the position of the version that is kept instead of it. */
  readonly variants: ReadonlyMap<number, number>;
}

/**
 * Packs rows into a budget. The packing class receives only the remaining part of the budget.
 *
 * @param rows pinned rows, then the best first
 * @throws AssizeError if the pinned rows do not fit, or if required rows exceed the target and `overflow` is `throw`
 */
export function packRows(
  entry: PackEntry,
  budget: Budget,
  rows: readonly CostedRow[],
  select: SelectorFunction,
  units?: UnitsToPack,
): Packed {
  const isFixed = (row: CostedRow): boolean => row.pinned || (units?.required.has(row.index) ?? false);
  const pinned = totalCost(rows.filter(isFixed));
  checkPinned(entry, budget, pinned);
  const limits = limitsOf(budget, pinned);
  const offered = units ? [...rows.filter((row) => row.pinned), ...units.units.flatMap((unit) => unit.rows)] : rows;
  const picked = select(offered, units ? { ...limits, units: units.units } : limits);
  const chosen = new Map(picked.kept.map((row) => [row.index, row]));
  // The order of the packer's result is ignored: a placing class orders the rows and receives the best first.
  const packed = rows.flatMap((row) => chosen.get(row.index) ?? (isFixed(row) ? [row] : []));
  const fitted = overflow(entry, budget, packed, isFixed);
  const used = totalCost(fitted.kept);
  // A unit costs more than its rows, so the packer's reason is more precise than that of a single row.
  const left = units
    ? [...units.left, ...picked.left]
    : pinnedFirst(budget, rows, dropTruncated(picked.left, fitted.left));
  return {
    kept: fitted.kept,
    left: [...left, ...fitted.left],
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
      ...(picked.optimality && { optimality: optimalityOf(picked.optimality) }),
    }),
    notes: [...(units?.notes ?? []), ...(picked.notes ?? [])],
    warnings: [...(units?.warnings ?? []), ...(picked.warnings ?? [])],
    variants: picked.variants ?? new Map(),
  };
}

/** The gap of a choice. Sums that overflow are not comparable, so the gap is then the greatest. */
function optimalityOf({ method, score, bound }: Optimality): BudgetOptimality {
  const optimal = method === 'exact' || isWithin(bound, score);
  const gap = optimal ? 0 : (bound - score) / Math.abs(bound);
  return Object.freeze({ method, optimal, score, bound, gap: Number.isFinite(gap) ? gap : 1 });
}

/** Removes truncated rows from the rows that replaced others. */
function dropTruncated(
  left: readonly SelectorNotSelected[],
  truncated: readonly SelectorNotSelected[],
): readonly SelectorNotSelected[] {
  if (truncated.length === 0) return left;
  const gone = new Set(truncated.map(({ index }) => index));
  return left.map((one) => {
    const { index, reason, data, replacedBy = [] } = one;
    if (!replacedBy.some((other) => gone.has(other))) return one;
    const kept = replacedBy.filter((other) => !gone.has(other));
    return withReasonTemplates({ index, reason, data, replacedBy: kept }, reasonTemplatesOf(one));
  });
}

function checkPinned({ place }: PackEntry, budget: Budget, pinned: number): void {
  const { max, outputReserve, reservedSlots } = budget;
  const room = max - outputReserve - reservedSlots;
  if (isWithin(pinned, room)) return;
  const less = [
    ...(outputReserve > 0 ? [` − output_reserve ${outputReserve}`] : []),
    ...(reservedSlots > 0 ? [` − reserved_slots ${reservedSlots}`] : []),
  ].join('');
  const message = `the pinned candidates cost ${pinned}, more than the available ${room} (max ${max}${less})`;
  const hint = 'pin fewer candidates, or raise the budget';
  throw toAssizeError([{ code: 'ASZ510', message, path: 'select.pack', place, hint }]);
}

/**
 * Sets the reason `pinned_first` on rows that were not selected because of pinned rows: each alone would fit the target
 * without them. The rows that replaced it are the fewest pinned rows, largest first, without which it fits.
 *
 * @param rows all offered rows, including the pinned ones
 */
function pinnedFirst(
  budget: Budget,
  rows: readonly CostedRow[],
  left: readonly SelectorNotSelected[],
): readonly SelectorNotSelected[] {
  const pinned = largestFirst(rows.filter((row) => row.pinned));
  if (pinned.length === 0) return left;
  const targets = targetsWithout(budget, pinned);
  const { target } = limitsOf(budget, totalCost(pinned));
  const most = targets.at(-1)!;
  const costs = new Map(rows.map(({ index, cost }) => [index, cost]));
  const fits = (cost: number, room: number): boolean => room > 0 && cost <= room;
  return left.map((one): SelectorNotSelected => {
    const cost = costs.get(one.index) ?? 0;
    if (fits(cost, target) || !fits(cost, most)) return one;
    return withSelectReasons({
      index: one.index,
      reason: 'pinned_first',
      data: { cost, room: target, without: most },
      get replacedBy() {
        return pinned.slice(0, targets.findIndex((room) => fits(cost, room)) + 1).map(({ index }) => index);
      },
    });
  });
}

/** The target without the largest pinned row, without the two largest, and so on. */
function targetsWithout(budget: Budget, pinned: readonly CostedRow[]): readonly number[] {
  let cost = totalCost(pinned);
  return pinned.map((row, k) => {
    cost = k === pinned.length - 1 ? 0 : cost - row.cost;
    return limitsOf(budget, cost).target;
  });
}

interface Fitted {
  readonly kept: readonly CostedRow[];
  readonly left: readonly SelectorNotSelected[];
}

/**
 * Applies the profile's `overflow` rule if the selection exceeds the whole target because of required rows.
 *
 * @param kept pinned rows, then the best first
 * @throws AssizeError with the numbers if `overflow` is `throw`
 */
function overflow(
  { overflow: rule, place }: PackEntry,
  { target }: Budget,
  kept: readonly CostedRow[],
  isFixed: (row: CostedRow) => boolean,
): Fitted {
  const cost = totalCost(kept);
  if (isWithin(cost, target) || rule === 'proceed') return { kept, left: [] };
  if (rule === 'truncate') return truncate(kept, target, isFixed);
  const pinned = kept.filter(isFixed);
  const parts = `${totalCost(pinned)} for ${pinned.length} pinned, ${cost - totalCost(pinned)} for ${kept.length - pinned.length} others`;
  const hint = 'raise the target, or set overflow: truncate to keep what fits, or overflow: proceed to keep everything';
  const message = `the required candidates cost ${cost}, more than the target of ${target} (${parts})`;
  throw toAssizeError([{ code: 'ASZ511', message, path: 'select.pack', place, hint }]);
}

/** Keeps the pinned rows and, best first, every other row that still fits. */
function truncate(rows: readonly CostedRow[], target: number, isFixed: (row: CostedRow) => boolean): Fitted {
  const kept: CostedRow[] = [];
  const left: SelectorNotSelected[] = [];
  let used = 0;
  for (const row of rows) {
    if (isFixed(row) || isWithin(used + row.cost, target)) {
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
        get replacedBy() {
          return fewestCovering(largestFirst(kept.slice(0, before)), lacked).map(({ index }) => index);
        },
      }),
    );
  }
  return { kept, left };
}

/** Sums of fractional costs may differ in their last bits. */
const ROUNDING = 1e-9;

export const isWithin = (cost: number, limit: number): boolean => cost <= limit + Math.abs(limit) * ROUNDING;

export const totalCost = (rows: readonly { readonly cost: number }[]): number =>
  rows.reduce((sum, { cost }) => sum + cost, 0);

/**
 * The limits for rows that are not pinned. In the order of the reference system: subtract the reserves and the pinned cost,
 * limit the target to the max, then apply the safety margin to both and round down.
 */
function limitsOf(budget: Budget, pinned: number): SelectorLimits {
  const { outputReserve, reservedSlots, safetyMargin } = budget;
  const max = Math.max(0, budget.max - outputReserve - pinned - reservedSlots);
  const target = Math.min(Math.max(0, budget.target - pinned - reservedSlots), max);
  if (safetyMargin === 0) return { target, max };
  const share = 1 - safetyMargin / 100;
  const most = Math.floor(max * share);
  return { target: Math.min(Math.floor(target * share), most), max: most };
}
