import {
  type CostedRow,
  fewestCovering,
  largestFirst,
  type SelectorFunction,
  type SelectorNotSelected,
  type SelectorLimits,
  type SelectorNote,
} from '../../../sdk/index.js';
import { toAssizeError, describeValue, type Place, type Problem } from '../../../base/index.js';
import { budgetReserveExcess, type BudgetSpec, type PackEntry } from '../../../profile/index.js';
import type { Plan } from '../../plan.js';
import {
  type Budget,
  type BudgetUse,
  type CallBudget,
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
): Packed {
  const pinned = totalCost(rows.filter((row) => row.pinned));
  checkPinned(entry, budget, pinned);
  const limits = limitsOf(budget, pinned);
  const picked = select(rows, limits);
  const chosen = new Set(picked.kept.map(({ index }) => index));
  // The order of the packer's result is ignored: a placing class orders the rows and receives the best first.
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
function overflow({ overflow: rule, place }: PackEntry, { target }: Budget, kept: readonly CostedRow[]): Fitted {
  const cost = totalCost(kept);
  if (isWithin(cost, target) || rule === 'proceed') return { kept, left: [] };
  if (rule === 'truncate') return truncate(kept, target);
  const pinned = kept.filter((row) => row.pinned);
  const parts = `${totalCost(pinned)} for ${pinned.length} pinned, ${cost - totalCost(pinned)} for ${kept.length - pinned.length} others`;
  const hint = 'raise the target, or set overflow: truncate to keep what fits, or overflow: proceed to keep everything';
  const message = `the required candidates cost ${cost}, more than the target of ${target} (${parts})`;
  throw toAssizeError([{ code: 'ASZ511', message, path: 'select.pack', place, hint }]);
}

/** Keeps the pinned rows and, best first, every other row that still fits. */
function truncate(rows: readonly CostedRow[], target: number): Fitted {
  const kept: CostedRow[] = [];
  const left: SelectorNotSelected[] = [];
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
 * The budget of a run, if the profile packs.
 *
 * @throws AssizeError if the profile packs and the budget is missing or invalid, or if a budget was given and the profile
 *   does not pack
 */
export function budgetOf({ pack, profile }: Plan, own: CallBudget | undefined): Budget | undefined {
  if (pack) return budgetFor(pack.entry.budget, own, profile.name, pack.entry.place);
  if (own === undefined) return undefined;
  const message = `profile ${profile.name} has no select.pack, but the call has a budget`;
  const hint = 'select: { pack: { cost: candidate.tokens, class: GreedyPack } } uses a budget';
  throw toAssizeError([{ code: 'ASZ513', message, path: 'select', hint }]);
}

/**
 * The budget of a run: from the call, else from the profile.
 *
 * @throws AssizeError if there is no budget, or if the call's budget is invalid
 */
function budgetFor(spec: BudgetSpec, own: CallBudget | undefined, profile: string, place?: Place): Budget {
  const wrong = (message: string, hint?: string): never => {
    const problem: Problem = { code: 'ASZ513', message, path: 'select.pack.budget', place, hint };
    throw toAssizeError([problem]);
  };
  const [target, max] = own === undefined ? [spec.target, spec.max] : callBudgetSides(own, wrong);
  if (target === undefined || max === undefined) {
    const hint = 'pass one to the call: rank(candidates, context, { budget: 8000 }), or --budget 8000';
    return wrong(`profile ${profile} has select.pack, but neither it nor the call sets a budget`, hint);
  }
  if (target > max) wrong(`the budget has a target of ${target}, more than its max of ${max}`);
  const excess = budgetReserveExcess(spec, max);
  if (excess !== undefined) wrong(excess, 'pass a larger budget, or lower the reserves of the profile');
  return { ...spec, target, max };
}

/** The target and max of a call's budget, checked, because a call may come from plain JavaScript. */
function callBudgetSides(
  own: CallBudget,
  wrong: (message: string) => never,
): readonly [number | undefined, number | undefined] {
  if (typeof own !== 'number' && (typeof own !== 'object' || own === null)) {
    return wrong(`the budget is ${describeValue(own)}; expected a number, or { target, max }`);
  }
  const unknown =
    typeof own === 'number' ? undefined : Object.keys(own).find((key) => key !== 'target' && key !== 'max');
  if (unknown !== undefined) return wrong(`the budget has ${unknown}; expected a number, or { target, max }`);
  const { target, max } = typeof own === 'number' ? { target: own, max: own } : own;
  for (const [name, side] of Object.entries({ target, max })) {
    if (side === undefined || (Number.isFinite(side) && side >= 0)) continue;
    wrong(`the budget's ${name} is ${describeValue(side)}; expected a number of at least 0`);
  }
  return [target ?? max, max ?? target];
}

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
