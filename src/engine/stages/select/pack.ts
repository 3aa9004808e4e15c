import {
  type CostedRow,
  fewestCovering,
  largestFirst,
  type SelectorFunction,
  type SelectorLeftOut,
  type SelectorLimits,
  type SelectorNote,
} from '../../../contract/index.js';
import { describeValue, type Place, type Problem, toAssizeError } from '../../../diagnostics/index.js';
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

/** The packed rows: the pinned, then the best first. */
interface Packed {
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

/**
 * Gives the reason `pinned_first` to rows that were left out because of the pinned: each alone would have fitted the
 * target without them. In its place are the fewest of them, largest first, without which it fits.
 *
 * @param rows what was offered, the pinned among it
 */
function pinnedFirst(
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
function overflow({ overflow: rule, place }: PackEntry, { target }: Budget, kept: readonly CostedRow[]): Fitted {
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

/** Sums of costs that are no whole numbers may differ in their last bits. */
const ROUNDING = 1e-9;

export const isWithin = (cost: number, limit: number): boolean => cost <= limit + Math.abs(limit) * ROUNDING;

export const totalCost = (rows: readonly { readonly cost: number }[]): number =>
  rows.reduce((sum, { cost }) => sum + cost, 0);

/**
 * What a run may spend, where the profile packs.
 *
 * @throws AssizeError where there is no usable budget, or one and nothing to spend it on
 */
export function budgetOf({ pack, profile }: Plan, own: CallBudget | undefined): Budget | undefined {
  if (pack) return budgetFor(pack.entry.budget, own, profile.name, pack.entry.place);
  if (own === undefined) return undefined;
  const message = `profile ${profile.name} has no select.pack, and a budget was given`;
  const hint = 'select: { pack: { cost: candidate.tokens, class: GreedyPack } } fills one';
  throw toAssizeError([{ code: 'ASZ513', message, path: 'select', hint }]);
}

/**
 * The budget of a run: the profile's, or the call's own.
 *
 * @throws AssizeError where neither gives one, or the call's is malformed
 */
function budgetFor(spec: BudgetSpec, own: CallBudget | undefined, profile: string, place?: Place): Budget {
  const wrong = (message: string, hint?: string): never => {
    const problem: Problem = { code: 'ASZ513', message, path: 'select.pack.budget', place, hint };
    throw toAssizeError([problem]);
  };
  const [target, max] = own === undefined ? [spec.target, spec.max] : callBudgetSides(own, wrong);
  if (target === undefined || max === undefined) {
    const hint = 'give one with the call: rank(candidates, context, { budget: 8000 }), or --budget 8000';
    return wrong(`profile ${profile} packs, and neither it nor the call says within which budget`, hint);
  }
  if (target > max) wrong(`the budget has a target of ${target}, more than its max of ${max}`);
  const excess = budgetReserveExcess(spec, max);
  if (excess !== undefined) wrong(excess, 'give a larger budget, or have the profile keep less free');
  return { ...spec, target, max };
}

/** The two sides of a call's budget, checked: a call may come from plain JavaScript. */
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
 * What is left for the rows that are not pinned. In the order of the reference: what is kept free and the pinned are
 * taken off, the target is held to the max, and the safety margin is taken of both, in whole units.
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

/** What all the pinned together may cost. */
const roomForPinned = ({ max, outputReserve, reservedSlots }: Budget): number => max - outputReserve - reservedSlots;
