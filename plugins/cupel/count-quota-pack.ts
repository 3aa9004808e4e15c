import {
  child,
  type CostedRow,
  defineSelector,
  fewestCovering,
  largestFirst,
  type ParamsOf,
  type Selector,
  type SelectorFunction,
  type SelectorNotSelected,
  type SelectorLimits,
  type SelectorResult,
  type SelectorRun,
  z,
} from '../../src/unit-sdk.js';
import {
  bestFirst,
  byParam,
  groupByKind,
  kindKey,
  kindParam,
  type KindRule,
  kindRules,
  leaveOutAll,
  packNothing,
  pinnedRows,
  totalCost,
  unpinnedRows,
} from './packing.js';

const count = z.number().int().min(0);

const countRules = kindRules(
  z.strictObject({
    kind: kindParam(),
    require: count.default(0).describe('The number of required rows, whatever they cost.'),
    cap: count.optional().describe('The maximum number of rows. Default: no limit.'),
  }),
);

type Params = ParamsOf<typeof CountQuotaPack>;

/**
 * Requires and caps a number of rows of each kind. The best required rows of each kind come first, whatever they cost.
 * The inner selector then fills the remaining room. Finally, rows beyond a cap are dropped, in that selector's order.
 *
 * This is Cupel's CountQuota and, around KnapsackPack, its CountConstrainedKnapsack. The room of dropped rows stays
 * unused. If the required rows cost more than the target, the profile's `overflow` applies.
 */
export class CountQuotaPack implements Selector<Params> {
  static readonly meta = defineSelector({
    summary: 'Requires and caps a number of rows of each kind, and packs the rest.',
    reads: 'params',
    params: z.strictObject({
      by: byParam(),
      counts: countRules.describe('The rules, one for each kind.'),
      scarcity: z
        .literal(['degrade', 'throw'])
        .default('degrade')
        .describe('If there are fewer rows than required: warn, or fail the run.'),
      inner: child().describe('The selector that fills the rest, such as { class: GreedyPack }.'),
    }),
    overflows: ({ counts: rules }) => rules.some(({ require }) => require > 0),
    reasons: {
      no_budget: 'there is no room at all',
      required_first: 'it costs {cost}, and the required rows leave room for {room}',
      count_cap: '{kind} has its {cap} already',
      to_capped: 'it costs {cost}, and its room went to {capped}, which were then dropped because of their cap',
    },
  });

  prepare({ by: kindOf, counts: rules, scarcity, inner }: Params, run: SelectorRun): SelectorFunction {
    const select = run.selector(inner);
    const kinds = run.expression(kindOf);
    const keyOf = (row: CostedRow): string => kindKey(kinds(row.candidate, row.index));
    return (rows, limits) => {
      const free = unpinnedRows(rows);
      if (free.length === 0 || limits.target <= 0) return packNothing(rows);
      const groups = groupByKind(free, kinds);
      const short: string[] = [];
      const required = rules.flatMap(({ kind: name, require }) => {
        const there = groups.get(kindKey(name))?.rows ?? [];
        if (there.length < require) short.push(`${name}: ${there.length} of ${require} required rows are available`);
        return require > 0 ? bestFirst(there).slice(0, require) : [];
      });
      if (short.length > 0 && scarcity === 'throw') throw new RangeError(short.join('; '));
      const rest = packRest(free, required, limits, select);
      const capped = applyCaps(rules, free, required, rest, keyOf);
      return {
        kept: [...pinnedRows(rows), ...required, ...capped.kept],
        left: capped.left,
        warnings: [...short, ...(rest.warnings ?? [])],
      };
    };
  }
}

/** Packs the other rows with the inner selector into the room beside the required rows. */
function packRest(
  rows: readonly CostedRow[],
  required: readonly CostedRow[],
  limits: SelectorLimits,
  select: SelectorFunction,
): SelectorResult {
  const taken = new Set(required.map(({ index }) => index));
  const others = rows.filter(({ index }) => !taken.has(index));
  const room = Math.max(0, limits.target - totalCost(required));
  const picked =
    room > 0 && others.length > 0 ? select(others, { target: room, max: limits.max }) : leaveOutAll(others);
  return { ...picked, left: attributeToRequired(picked.left, others, required, room, limits.target) };
}

/**
 * Sets the reason `required_first` for rows that would have fitted the target without the required rows. Their
 * `replacedBy` lists the fewest required rows, largest first, that cover the missing room.
 *
 * @param room the part of the target beside the required rows
 */
function attributeToRequired(
  left: readonly SelectorNotSelected[],
  rows: readonly CostedRow[],
  required: readonly CostedRow[],
  room: number,
  target: number,
): readonly SelectorNotSelected[] {
  if (required.length === 0) return left;
  const costs = new Map(rows.map(({ index, cost }) => [index, cost]));
  const largest = largestFirst(required);
  const lacking = totalCost(required) - target; // above 0 if the required rows alone exceed the target
  return left.map((one): SelectorNotSelected => {
    const { index } = one;
    const cost = costs.get(index) ?? 0;
    if ((room > 0 && cost <= room) || cost > target) return one;
    const lacked = cost + (lacking > 0 ? lacking : -room);
    return {
      index,
      reason: 'required_first',
      data: { cost, room },
      get replacedBy() {
        return fewestCovering(largest, lacked).map((row) => row.index);
      },
    };
  });
}

/**
 * Drops the rows beyond the cap of their kind, in their given order. Required rows count and are never dropped. If they
 * fill a cap alone, every other row of their kind gets the reason of the cap, since more room would not help it.
 *
 * @param rows all rows that compete
 * @param rest the rows that were packed beside the required ones, and those that were not
 */
function applyCaps(
  rules: readonly KindRule[],
  rows: readonly CostedRow[],
  required: readonly CostedRow[],
  rest: SelectorResult,
  keyOf: (row: CostedRow) => string,
): SelectorResult {
  const caps = new Map(rules.map((rule) => [kindKey(rule.kind), rule]));
  const selected = new Map<string, number[]>();
  const select = (row: CostedRow): void => {
    const sameKind = selected.get(keyOf(row));
    if (sameKind) sameKind.push(row.index);
    else selected.set(keyOf(row), [row.index]);
  };
  for (const row of required) select(row);
  const full = new Map([...caps].filter(([key, { cap = Infinity }]) => (selected.get(key)?.length ?? 0) >= cap));
  const keys = new Map(full.size > 0 ? rows.map((row) => [row.index, keyOf(row)]) : []);
  const kept: CostedRow[] = [];
  const dropped: CostedRow[] = [];
  const left: SelectorNotSelected[] = [];
  for (const row of rest.kept) {
    const rule = caps.get(keyOf(row));
    const sameKind = selected.get(keyOf(row)) ?? [];
    if (rule?.cap === undefined || sameKind.length < rule.cap) {
      kept.push(row);
      select(row);
      continue;
    }
    dropped.push(row);
    left.push(notSelectedByCap(row, rule, sameKind));
  }
  const others = attributeToCapped(rest, dropped).map((one): SelectorNotSelected => {
    const key = keys.get(one.index);
    const rule = key === undefined ? undefined : full.get(key);
    return rule && key !== undefined ? notSelectedByCap(one, rule, selected.get(key) ?? []) : one;
  });
  return { kept, left: [...left, ...others] };
}

const notSelectedByCap = (
  { index }: { readonly index: number },
  { kind, cap }: KindRule,
  replacedBy: readonly number[],
): SelectorNotSelected => ({
  index,
  reason: 'count_cap',
  data: { kind, cap },
  replacedBy,
});

/** Sets the reason `to_capped` for rows whose room was taken by rows that a cap then dropped. */
function attributeToCapped(
  { kept, left }: SelectorResult,
  dropped: readonly CostedRow[],
): readonly SelectorNotSelected[] {
  if (dropped.length === 0) return left;
  const ids = new Map(dropped.map(({ index, id }) => [index, id]));
  const selected = new Set(kept.map(({ index }) => index));
  return left.map((one): SelectorNotSelected => {
    const { index, data, replacedBy = [] } = one;
    const capped = replacedBy.flatMap((other) => ids.get(other) ?? []);
    if (capped.length === 0) return one;
    const others = replacedBy.filter((other) => selected.has(other) && !ids.has(other));
    return { index, reason: 'to_capped', data: { cost: data?.['cost'], capped }, replacedBy: others };
  });
}
