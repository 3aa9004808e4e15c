import type { KindGroup } from './kind-groups.js';
import { totalCost } from './packing.js';

/** What a kind requires and gets at most, in percent of the budget. */
export interface QuotaRule {
  readonly kind: string;
  readonly require: number;
  readonly cap: number;
}

/** What a kind gets. */
export interface KindShare extends KindGroup {
  readonly share: number;
  /** The most that it may have. */
  readonly cap: number;
}

/** Divided before it is multiplied, so that 29 % of 100 is 28, as in the reference. */
const percentOf = (percent: number, target: number): number => Math.floor((percent / 100) * target);

/**
 * The share of each kind: what it requires, and of what no kind requires a part in proportion to the cost of its rows,
 * among the kinds that may have more than they require; at most its cap. In whole units of the cost.
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
