import { describeValue, type Place, type Problem, toAssizeError } from '../../../base/index.js';
import { isMap } from '../../../expression/index.js';
import { budgetReserveExcess, type BudgetSpec } from '../../../profile/index.js';
import type { Plan } from '../../plan.js';
import type { Budget, CallBudget, CallBudgetKeys } from './select-plan.js';

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
  const keys = callBudgetKeys(own, wrong);
  const isSet = keys.target !== undefined || keys.max !== undefined;
  const [target, max] = isSet ? [keys.target ?? keys.max, keys.max ?? keys.target] : [spec.target, spec.max];
  if (target === undefined || max === undefined) {
    const hint = 'pass one to the call: rank(candidates, context, { budget: 8000 }), or --budget 8000';
    return wrong(`profile ${profile} has select.pack, but neither it nor the call sets a budget`, hint);
  }
  if (target > max) wrong(`the budget has a target of ${target}, more than its max of ${max}`);
  const { outputReserve = spec.outputReserve, safetyMargin = spec.safetyMargin } = keys;
  const reservedSlots = keys.reservedSlots ?? spec.reservedSlots;
  const budget = { target, max, outputReserve, reservedSlots, safetyMargin };
  const excess = budgetReserveExcess(budget, max);
  if (excess !== undefined) wrong(excess, 'pass a larger budget, or lower the reserves');
  return budget;
}

type GivenKeys = { readonly [K in keyof BudgetSpec]?: BudgetSpec[K] | undefined };

/** The budget keys of a call, checked, because a call may come from plain JavaScript. */
function callBudgetKeys(own: CallBudget | undefined, wrong: (message: string) => never): GivenKeys {
  if (own === undefined) return {};
  if (typeof own !== 'number' && !isMap(own)) {
    return wrong(`the budget is ${describeValue(own)}; expected a number, or { target, max }`);
  }
  const keys: CallBudgetKeys = typeof own === 'number' ? { target: own, max: own } : own;
  const unknown = Object.keys(keys).find((key) => !CALL_KEYS.includes(key));
  if (unknown !== undefined)
    return wrong(`the budget has ${unknown}; expected a number, or { ${CALL_KEYS.join(', ')} }`);
  const { target, max, output_reserve: outputReserve, reserved_slots: slots, safety_margin: safetyMargin } = keys;
  if (slots !== undefined && !isMap(slots))
    return wrong(`the budget's reserved_slots is ${describeValue(slots)}; expected a map of numbers`);
  const sizes = { target, max, output_reserve: outputReserve, safety_margin: safetyMargin };
  for (const [name, size] of [...Object.entries(sizes), ...Object.entries(slots ?? {})]) {
    if (size === undefined || (Number.isFinite(size) && size >= 0)) continue;
    wrong(`the budget's ${name} is ${describeValue(size)}; expected a number of at least 0`);
  }
  if (safetyMargin !== undefined && safetyMargin > 100)
    wrong(`the budget's safety_margin is ${safetyMargin}; expected a percentage, at most 100`);
  return { target, max, outputReserve, reservedSlots: slots && slotsTotal(slots), safetyMargin };
}

const CALL_KEYS: readonly string[] = ['target', 'max', 'output_reserve', 'reserved_slots', 'safety_margin'];

const slotsTotal = (slots: Readonly<Record<string, number>>): number =>
  Object.values(slots).reduce((sum, slot) => sum + slot, 0);
