import type { LeftOut, Refused, Selected } from './rows.js';

/** How many refused candidates a count names as examples. */
export const EXAMPLES_PER_REASON = 3;

/** How many candidates there are of each kind: given = selected + leftOut + refused, always. */
export interface TopCounts {
  /** The caller's candidates, or those that the strategies generated in their place. */
  readonly given: number;
  /** How many were scored. */
  readonly ranked: number;
  /** How many of those given are selected, by a fallback too. */
  readonly selected: number;
  readonly leftOut: number;
  readonly refused: number;
  /**
   * How many more a fallback generated: they are in the list of the selected, and were not given. Absent if it
   * generated none.
   */
  readonly generated?: number;
}

/** How many candidates one entry refused for one kind of reason, with the first few. */
export interface RefusedCount extends Pick<Refused<unknown>, 'by' | 'kind'> {
  readonly count: number;
  readonly examples: readonly Pick<Refused<unknown>, 'id' | 'index' | 'reason'>[];
}

/** How many candidates were left out for one reason. */
export interface LeftOutCount {
  readonly reason: string;
  readonly count: number;
}

/** How many of the selected were given: one that a fallback generated has no position. */
export const ownCount = (selected: readonly Pick<Selected<unknown>, 'index'>[]): number =>
  selected.filter(({ index }) => index >= 0).length;

/** The count of what a fallback generated, if it generated any. */
export const generatedCount = (generated: number): Pick<TopCounts, 'generated'> => (generated > 0 ? { generated } : {});

/** Counts refused rows by entry and kind, each with its first few, in the order of their first row. */
export function refusedCounts(refused: Iterable<Refused<unknown>>): readonly RefusedCount[] {
  const groups = new Map<
    string,
    RefusedCount & { count: number; readonly examples: RefusedCount['examples'][number][] }
  >();
  for (const row of refused) {
    const { by, kind } = row;
    const key = `${by} ${kind}`;
    let group = groups.get(key);
    if (!group) groups.set(key, (group = { by, kind, count: 0, examples: [] }));
    group.count += 1;
    if (group.examples.length < EXAMPLES_PER_REASON) {
      const { id, index, reason } = row;
      group.examples.push({ id, index, reason });
    }
  }
  return [...groups.values()];
}

/** Counts rows that were left out by reason, in the order of their first row. */
export function leftOutCounts(leftOut: Iterable<LeftOut<unknown>>): readonly LeftOutCount[] {
  const counts = new Map<string, number>();
  for (const { reason } of leftOut) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return Array.from(counts, ([reason, count]) => ({ reason, count }));
}
