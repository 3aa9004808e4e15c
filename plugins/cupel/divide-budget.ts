import type { KindGroup } from './kind-groups.js';
import { totalCost } from './packing.js';
import type { KindRule } from './quota-params.js';

/** A rule in percent of the budget. */
export interface QuotaRule extends KindRule {
  readonly cap: number;
}

/** The rows of a kind and its share of the budget, in units of the cost. */
export interface KindShare extends KindGroup {
  readonly share: number;
  /** The upper limit of its share. */
  readonly cap: number;
}

/**
 * A percentage of the target, rounded down; divided before it is multiplied, so that 29 % of 100 is 28, as in the
 * reference.
 */
const percentOf = (percent: number, target: number): number => Math.floor((percent / 100) * target);

/**
 * Divides the budget among kinds. Each gets what it requires; what no kind requires is divided in proportion to the
 * cost of their rows, among kinds whose cap is above their requirement; no share exceeds its cap. In whole units of the
 * cost.
 */
export function divideBudget(
  groups: ReadonlyMap<string, KindGroup>,
  rules: ReadonlyMap<string, QuotaRule>,
  target: number,
): ReadonlyMap<string, KindShare> {
  const required = [...rules.values()].reduce((sum, { require }) => sum + percentOf(require, target), 0);
  const unassigned = Math.max(0, target - required);
  const parts = Array.from(groups, ([key, group]) => {
    const rule = rules.get(key);
    const require = rule ? percentOf(rule.require, target) : 0;
    const cap = rule ? percentOf(rule.cap, target) : target;
    return { key, group, require, cap, mass: cap > require ? totalCost(group.rows) : 0 };
  });
  const total = parts.reduce((sum, { mass }) => sum + mass, 0);
  return new Map(
    parts.map(({ key, group, require, cap, mass }): [string, KindShare] => {
      const part = total > 0 ? Math.floor((unassigned * mass) / total) : 0;
      return [key, { name: group.name, rows: group.rows, share: Math.min(require + part, cap), cap }];
    }),
  );
}
