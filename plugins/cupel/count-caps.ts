import type { CostedRow, SelectorLeftOut, SelectorResult } from '../../src/sdk.js';
import { kindKey } from './kind-groups.js';

/** How many rows of a kind are in at most. */
interface KindCap {
  readonly kind: string;
  readonly cap?: number | undefined;
}

/**
 * Drops what is more than its cap, in the order in which the rows come. What is required counts, and is never dropped;
 * where it fills a cap alone, that is why others of its kind are out, and no room would help them.
 *
 * @param rows all that compete
 * @param rest what was packed beside the required, and what was not
 */
export function applyCaps(
  rules: readonly KindCap[],
  rows: readonly CostedRow[],
  required: readonly CostedRow[],
  rest: SelectorResult,
  keyOf: (row: CostedRow) => string,
): SelectorResult {
  const caps = new Map(rules.map((rule) => [kindKey(rule.kind), rule]));
  const inside = new Map<string, number[]>();
  const enter = (row: CostedRow): void => {
    const rivals = inside.get(keyOf(row));
    if (rivals) rivals.push(row.index);
    else inside.set(keyOf(row), [row.index]);
  };
  for (const row of required) enter(row);
  const full = new Map([...caps].filter(([key, { cap = Infinity }]) => (inside.get(key)?.length ?? 0) >= cap));
  const keys = new Map(full.size > 0 ? rows.map((row) => [row.index, keyOf(row)]) : []);
  const kept: CostedRow[] = [];
  const dropped: CostedRow[] = [];
  const left: SelectorLeftOut[] = [];
  for (const row of rest.kept) {
    const rule = caps.get(keyOf(row));
    const rivals = inside.get(keyOf(row)) ?? [];
    if (rule?.cap === undefined || rivals.length < rule.cap) {
      kept.push(row);
      enter(row);
      continue;
    }
    dropped.push(row);
    left.push(leftOutByCap(row, rule, rivals));
  }
  const others = attributeToCapped(rest, dropped).map((one): SelectorLeftOut => {
    const key = keys.get(one.index);
    const rule = key === undefined ? undefined : full.get(key);
    return rule && key !== undefined ? leftOutByCap(one, rule, inside.get(key) ?? []) : one;
  });
  return { kept, left: [...left, ...others] };
}

const leftOutByCap = (
  { index }: { readonly index: number },
  { kind, cap }: KindCap,
  keptInstead: readonly number[],
): SelectorLeftOut => ({
  index,
  reason: 'count_cap',
  data: { kind, cap },
  keptInstead,
});

/** Whose room went to what was then dropped: those are not in its place, because they are not in. */
function attributeToCapped({ kept, left }: SelectorResult, dropped: readonly CostedRow[]): readonly SelectorLeftOut[] {
  if (dropped.length === 0) return left;
  const ids = new Map(dropped.map(({ index, id }) => [index, id]));
  const inside = new Set(kept.map(({ index }) => index));
  return left.map((one): SelectorLeftOut => {
    const { index, data, keptInstead = [] } = one;
    const capped = keptInstead.flatMap((other) => ids.get(other) ?? []);
    if (capped.length === 0) return one;
    const others = keptInstead.filter((other) => inside.has(other) && !ids.has(other));
    return { index, reason: 'to_capped', data: { cost: data?.['cost'], capped }, keptInstead: others };
  });
}
