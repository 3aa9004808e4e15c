import type { CostedRow, Left, Picked } from '../../src/sdk.js';
import { kindKey } from './kinds.js';

/** How many rows of a kind are in at most. */
interface Cap {
  readonly kind: string;
  readonly cap?: number | undefined;
}

/**
 * Drops what is more than its cap, in the order in which the rows come. What is required counts, and is never dropped.
 *
 * @param rest what was packed beside the required, and what was not
 */
export function applyCaps(
  rules: readonly Cap[],
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
    left.push({ index: row.index, reason: 'count_cap', data: { kind: rule.kind, cap: rule.cap }, keptInstead: rivals });
  }
  return { kept, left: [...left, ...lostRoom(rest, dropped)] };
}

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
