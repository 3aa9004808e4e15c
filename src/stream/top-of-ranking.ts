import type { Ranking } from '../ranking/ranking.js';
import type { Refused } from '../ranking/rows.js';
import { extentOf } from '../text/extent.js';
import { EXAMPLES_PER_REASON } from './aggregates.js';
import { type RefusedCount, type TopCounts, TopRanking } from './top-ranking.js';

/** The best of a whole ranking: the same of it as of a stream. */
export function topOfRanking<T>(
  ranking: Ranking<T>,
  top: number | undefined,
  notices: readonly string[] = [],
): TopRanking<T> {
  const { selected, leftOut, refused } = ranking;
  const facts = {
    ranking,
    selected: () => selected.slice(0, top),
    counts: topCountsOf(ranking),
    refused: refusedCounts(refused),
    leftOut: groupBy(leftOut, ({ reason }) => reason).map((rows) => ({ reason: rows[0]!.reason, count: rows.length })),
    matrix: () => ranking.matrix,
    extent: (scorer?: string) =>
      extentOf(scorer === undefined ? ranking.matrix.totals : ranking.matrix.column(scorer).values),
    warnings: () => ranking.warnings,
    explain: ({ index }: { readonly index: number }) => ranking.explain({ index }),
  };
  return new TopRanking<T>(facts, notices);
}

/** How many there were of everything. What a fallback adds was not given. */
export function topCountsOf({ ranked, selected, leftOut, refused }: Ranking<unknown>): TopCounts {
  const given = selected.filter(({ index }) => index >= 0).length + leftOut.length + refused.length;
  return {
    given,
    ranked: ranked.length,
    selected: selected.length,
    leftOut: leftOut.length,
    refused: refused.length,
  };
}

/** By who refused them, and for what kind of reason, each with the first few. */
export const refusedCounts = (refused: readonly Refused<unknown>[]): readonly RefusedCount[] =>
  groupBy(refused, ({ by, kind }) => `${by} ${kind}`).map((rows) => ({
    by: rows[0]!.by,
    kind: rows[0]!.kind,
    count: rows.length,
    examples: rows.slice(0, EXAMPLES_PER_REASON).map(({ id, index, reason }) => ({ id, index, reason })),
  }));

function groupBy<R>(rows: readonly R[], keyOf: (row: R) => string): readonly (readonly R[])[] {
  const groups = new Map<string, R[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return [...groups.values()];
}
