import type { LeftOut, Ranked, Refused, Selected } from './rows.js';

/** How many refused candidates a count names as examples. */
export const EXAMPLES_PER_REASON = 3;

/** How many candidates there are of each kind. given = selected + leftOut + refused. */
export interface TopCounts {
  readonly given: number;
  /** How many were scored. */
  readonly ranked: number;
  /** How many are selected. */
  readonly selected: number;
  readonly leftOut: number;
  readonly refused: number;
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

/** The lists of a ranking. */
interface RankingLists {
  readonly ranked: readonly Ranked<unknown>[];
  readonly selected: readonly Selected<unknown>[];
  readonly leftOut: readonly LeftOut<unknown>[];
  readonly refused: readonly Refused<unknown>[];
}

/** Counts the candidates of a ranking; one that only a fallback generated was not given. */
export function topCountsOf({ ranked, selected, leftOut, refused }: RankingLists): TopCounts {
  const given = selected.filter(({ index }) => index >= 0).length + leftOut.length + refused.length;
  return {
    given,
    ranked: ranked.length,
    selected: selected.length,
    leftOut: leftOut.length,
    refused: refused.length,
  };
}

/** Counts refused rows by entry and kind, each with its first few, in the order of their first row. */
export const refusedCounts = (refused: readonly Refused<unknown>[]): readonly RefusedCount[] =>
  groupBy(refused, ({ by, kind }) => `${by} ${kind}`).map((rows) => ({
    by: rows[0]!.by,
    kind: rows[0]!.kind,
    count: rows.length,
    examples: rows.slice(0, EXAMPLES_PER_REASON).map(({ id, index, reason }) => ({ id, index, reason })),
  }));

/** Counts rows that were left out by reason, in the order of their first row. */
export const leftOutCounts = (leftOut: readonly LeftOut<unknown>[]): readonly LeftOutCount[] =>
  groupBy(leftOut, ({ reason }) => reason).map((rows) => ({ reason: rows[0]!.reason, count: rows.length }));

function groupBy<R>(rows: readonly R[], keyOf: (row: R) => string): readonly (readonly R[])[] {
  const groups = new Map<string, R[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return [...groups.values()];
}
