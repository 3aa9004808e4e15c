import type { CostedRow, SelectorLeftOut, SelectorResult } from '../../src/sdk.js';
import { kindKey } from './kind-groups.js';
import type { KindRule } from './quota-params.js';

/**
 * Drops the rows beyond the cap of their kind, in their given order. Required rows count and are never dropped; where
 * they fill a cap alone, every other row of their kind is left out for the cap, since no room would help it.
 *
 * @param rows all rows that compete
 * @param rest the rows that were packed beside the required ones, and those that were left out
 */
export function applyCaps(
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
  const left: SelectorLeftOut[] = [];
  for (const row of rest.kept) {
    const rule = caps.get(keyOf(row));
    const sameKind = selected.get(keyOf(row)) ?? [];
    if (rule?.cap === undefined || sameKind.length < rule.cap) {
      kept.push(row);
      select(row);
      continue;
    }
    dropped.push(row);
    left.push(leftOutByCap(row, rule, sameKind));
  }
  const others = attributeToCapped(rest, dropped).map((one): SelectorLeftOut => {
    const key = keys.get(one.index);
    const rule = key === undefined ? undefined : full.get(key);
    return rule && key !== undefined ? leftOutByCap(one, rule, selected.get(key) ?? []) : one;
  });
  return { kept, left: [...left, ...others] };
}

const leftOutByCap = (
  { index }: { readonly index: number },
  { kind, cap }: KindRule,
  keptInstead: readonly number[],
): SelectorLeftOut => ({
  index,
  reason: 'count_cap',
  data: { kind, cap },
  keptInstead,
});

/**
 * Gives the reason `to_capped` to rows whose room went to rows that a cap then dropped: those are not kept in their
 * place.
 */
function attributeToCapped({ kept, left }: SelectorResult, dropped: readonly CostedRow[]): readonly SelectorLeftOut[] {
  if (dropped.length === 0) return left;
  const ids = new Map(dropped.map(({ index, id }) => [index, id]));
  const selected = new Set(kept.map(({ index }) => index));
  return left.map((one): SelectorLeftOut => {
    const { index, data, keptInstead = [] } = one;
    const capped = keptInstead.flatMap((other) => ids.get(other) ?? []);
    if (capped.length === 0) return one;
    const others = keptInstead.filter((other) => selected.has(other) && !ids.has(other));
    return { index, reason: 'to_capped', data: { cost: data?.['cost'], capped }, keptInstead: others };
  });
}
