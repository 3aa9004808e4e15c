import { type Plan, refusalOf, refuserOf } from '../../engine/index.js';
import { EXAMPLES_PER_REASON } from '../../ranking/index.js';
import type { Aggregates } from '../../stream/aggregates.js';
import type { SieveResult } from '../statement/sieve-rows.js';

type Refusals = Aggregates['refused'];

/** What SQL has refused. */
export const refusalsOf = (plan: Plan, counts: SieveResult['counts']): Refusals =>
  [...counts].flatMap(([verdict, count]) => {
    if (verdict <= 0) return [];
    return [{ by: plan.refusers[refuserOf(verdict)] ?? 'combine', kind: refusalOf(verdict), count, examples: [] }];
  });

/** Refusals by entry and kind, each with its first examples, in the order of their first. */
export function mergeRefusals(...lists: readonly Refusals[]): Refusals {
  const groups = new Map<string, Refusals[number]>();
  for (const group of lists.flat()) {
    const key = `${group.by} ${group.kind}`;
    const known = groups.get(key);
    const examples = [...(known?.examples ?? []), ...group.examples].toSorted((a, b) => a.index - b.index);
    const count = (known?.count ?? 0) + group.count;
    groups.set(key, { ...group, count, examples: examples.slice(0, EXAMPLES_PER_REASON) });
  }
  const first = ({ examples }: Refusals[number]): number => examples[0]?.index ?? Infinity;
  return [...groups.values()].toSorted((a, b) => first(a) - first(b));
}
