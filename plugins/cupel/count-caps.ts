import type { CostedRow, Left, Picked } from '../../src/sdk.js';
import { kindKey } from './kinds.js';

/** How many rows of a kind are in at most. */
interface Cap {
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
  rules: readonly Cap[],
  rows: readonly CostedRow[],
  required: readonly CostedRow[],
  rest: Picked,
  keyOf: (row: CostedRow) => string,
): Picked {
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
  const left: Left[] = [];
  for (const row of rest.kept) {
    const rule = caps.get(keyOf(row));
    const rivals = inside.get(keyOf(row)) ?? [];
    if (rule?.cap === undefined || rivals.length < rule.cap) {
      kept.push(row);
      enter(row);
      continue;
    }
    dropped.push(row);
    left.push(overCap(row, rule, rivals));
  }
  const others = lostRoom(rest, dropped).map((one): Left => {
    const key = keys.get(one.index);
    const rule = key === undefined ? undefined : full.get(key);
    return rule && key !== undefined ? overCap(one, rule, inside.get(key) ?? []) : one;
  });
  return { kept, left: [...left, ...others] };
}

const overCap = ({ index }: { readonly index: number }, { kind, cap }: Cap, keptInstead: readonly number[]): Left => ({
  index,
  reason: 'count_cap',
  data: { kind, cap },
  keptInstead,
});

/** Whose room went to what was then dropped: those are not in its place, because they are not in. */
function lostRoom({ kept, left }: Picked, dropped: readonly CostedRow[]): readonly Left[] {
  if (dropped.length === 0) return left;
  const ids = new Map(dropped.map(({ index, id }) => [index, id]));
  const inside = new Set(kept.map(({ index }) => index));
  return left.map((one): Left => {
    const { index, data, keptInstead = [] } = one;
    const capped = keptInstead.flatMap((other) => ids.get(other) ?? []);
    if (capped.length === 0) return one;
    const others = keptInstead.filter((other) => inside.has(other) && !ids.has(other));
    return { index, reason: 'to_capped', data: { cost: data?.['cost'], capped }, keptInstead: others };
  });
}
