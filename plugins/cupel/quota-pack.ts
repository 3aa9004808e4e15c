import {
  child,
  type CostedRow,
  defineSelector,
  type ParamsOf,
  type Score,
  type Selector,
  type SelectorFunction,
  type SelectorNotSelected,
  type SelectorLimits,
  type SelectorResult,
  type SelectorRun,
  z,
} from '../../src/unit-sdk.js';
import {
  byParam,
  groupByKind,
  type KindGroup,
  kindKey,
  kindParam,
  type KindRule,
  kindRules,
  packNothing,
  pinnedRows,
  totalCost,
  unpinnedRows,
} from './packing.js';

/** The tolerance for a sum of fractional percentages, which may exceed 100 by rounding. */
const ROUNDING = 1e-9;

const percent = z.number().min(0).max(100);

const quotaRules = kindRules(
  z.strictObject({
    kind: kindParam(),
    require: percent.default(0).describe('The percentage of the budget that is reserved for the kind.'),
    cap: percent.default(100).describe('The maximum percentage of the kind.'),
  }),
).superRefine((rules, ctx) => {
  const sum = rules.reduce((total, { require }) => total + require, 0);
  if (sum <= 100 + ROUNDING) return;
  const path = [rules.length - 1, 'require'];
  ctx.addIssue({ code: 'custom', path, message: `the requires add up to ${sum} percent, more than 100` });
});

type Params = ParamsOf<typeof QuotaPack>;

/**
 * Divides the budget among kinds, in percent, and fills each share with another selector.
 *
 * This is Cupel's Quota. A kind gets what it requires and a part of the rest in proportion to the cost of its rows, up
 * to its cap. A kind without a rule requires nothing and has no cap. The requirement of a kind without rows and the
 * unused part of a share stay unused. If a kind fills less than it requires, a warning names it.
 */
export class QuotaPack implements Selector<Params> {
  static readonly meta = defineSelector({
    summary: 'Divides the budget among kinds, in percent, and packs each share.',
    reads: 'params',
    params: z.strictObject({
      by: byParam(),
      quotas: quotaRules.describe('The rules, one for each kind.'),
      inner: child().describe('The selector that fills a share, such as { class: GreedyPack }.'),
    }),
    reasons: {
      no_budget: 'there is no room at all',
      no_share: '{kind} has no share of the {room} there is',
      share: 'it costs {cost}, and {unused} of the share of {kind}, {share}, is left',
    },
  });

  prepare({ by: kindOf, quotas: rules, inner }: Params, run: SelectorRun): SelectorFunction {
    const select = run.selector(inner);
    const kinds = run.expression(kindOf);
    const byKey = new Map(rules.map((rule) => [kindKey(rule.kind), rule]));
    return (rows, limits) => (limits.target > 0 ? pack(rows, limits, byKey, kinds, select) : packNothing(rows));
  }
}

function pack(
  rows: readonly CostedRow[],
  { target }: SelectorLimits,
  rules: ReadonlyMap<string, QuotaRule>,
  kindOf: Score<unknown, unknown>,
  select: SelectorFunction,
): SelectorResult {
  const groups = groupByKind(unpinnedRows(rows), kindOf);
  const kept: CostedRow[] = [...pinnedRows(rows)];
  const left: SelectorNotSelected[] = [];
  const warnings: string[] = [];
  for (const [key, { rows: own, name, share, cap }] of divideBudget(groups, rules, target)) {
    if (share <= 0) {
      const data = { kind: name, room: target };
      for (const { index } of own) left.push({ index, reason: 'no_share', data });
      continue;
    }
    const picked = select(own, { target: share, max: cap });
    kept.push(...picked.kept);
    warnings.push(...(picked.warnings ?? []));
    left.push(...notSelectedOfShare(picked, own, name, share));
    const required = rules.get(key)?.require ?? 0;
    const filled = totalCost(picked.kept);
    const floor = Math.floor((required / 100) * target);
    if (filled < floor) warnings.push(`${name} fills ${filled} of the ${floor} that it requires`);
  }
  for (const [key, rule] of rules) {
    const floor = Math.floor((rule.require / 100) * target);
    if (!groups.has(key) && floor > 0) warnings.push(`${rule.kind} fills 0 of the ${floor} that it requires`);
  }
  return { kept, left, warnings };
}

/**
 * Sets the reason `share` for rows that do not fit the unused part of their share. Their `replacedBy` lists the rows
 * that the inner selector names, otherwise all selected rows of the kind; it is empty if the whole share would be too
 * small. Rows that were not selected for another reason keep it.
 */
function notSelectedOfShare(
  { kept, left }: SelectorResult,
  rows: readonly CostedRow[],
  name: string,
  share: number,
): readonly SelectorNotSelected[] {
  const costs = new Map(rows.map(({ index, cost }) => [index, cost]));
  const unused = Math.max(0, share - totalCost(kept));
  return left.map((one): SelectorNotSelected => {
    const { index } = one;
    const cost = costs.get(index) ?? 0;
    if (cost <= unused) return one;
    return {
      index,
      reason: 'share',
      data: { kind: name, cost, share, unused },
      get replacedBy() {
        if (cost > share) return [];
        const { replacedBy = [] } = one;
        return replacedBy.length > 0 ? replacedBy : kept.map((row) => row.index);
      },
    };
  });
}

/** A rule in percent of the budget. */
interface QuotaRule extends KindRule {
  readonly cap: number;
}

/** The rows of a kind and its share of the budget, in units of the cost. */
interface KindShare extends KindGroup {
  readonly share: number;
  /** The upper limit of its share. */
  readonly cap: number;
}

/**
 * A percentage of the target, rounded down. The division comes first, so that 29 % of 100 is 28, as in the reference.
 */
const percentOf = (share: number, target: number): number => Math.floor((share / 100) * target);

/**
 * Divides the budget among kinds in whole units of the cost. Each kind gets what it requires. The rest is divided in
 * proportion to the cost of their rows, among kinds whose cap is above their requirement. No share exceeds its cap.
 */
function divideBudget(
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
