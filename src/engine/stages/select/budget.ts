import type { SelectorLimits } from '../../../contract/index.js';
import { describeValue, type Place, type Problem, toAssizeError } from '../../../diagnostics/index.js';
import { budgetReserveExcess, type BudgetSpec } from '../../../profile/index.js';
import type { Plan } from '../../plan.js';
import type { Budget, CallBudget } from './types.js';

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
export function budgetFor(spec: BudgetSpec, own: CallBudget | undefined, profile: string, place?: Place): Budget {
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
export function limitsOf(budget: Budget, pinned: number): SelectorLimits {
  const { outputReserve, reservedSlots, safetyMargin } = budget;
  const max = Math.max(0, budget.max - outputReserve - pinned - reservedSlots);
  const target = Math.min(Math.max(0, budget.target - pinned - reservedSlots), max);
  if (safetyMargin === 0) return { target, max };
  const share = 1 - safetyMargin / 100;
  const most = Math.floor(max * share);
  return { target: Math.min(Math.floor(target * share), most), max: most };
}

/** What all the pinned together may cost. */
export const roomForPinned = ({ max, outputReserve, reservedSlots }: Budget): number =>
  max - outputReserve - reservedSlots;
