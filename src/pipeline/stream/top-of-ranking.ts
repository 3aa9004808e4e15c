import { extentOf } from '../../matrix/extent.js';
import type { Ranking } from '../ranking.js';
import { NAMED } from './census.js';
import { TopRanking } from './top-ranking.js';

/** The best of a whole ranking, for a profile that needs one. */
export function topOfRanking<T>(
  ranking: Ranking<T>,
  top: number | undefined,
  notices: readonly string[],
): TopRanking<T> {
  const { ranked, selected, leftOut, refused } = ranking;
  const given = selected.filter(({ index }) => index >= 0).length + leftOut.length + refused.length;
  const facts = {
    ranking,
    selected: () => selected.slice(0, top),
    counts: {
      given,
      ranked: ranked.length,
      selected: selected.length,
      leftOut: leftOut.length,
      refused: refused.length,
    },
    refused: grouped(refused, ({ by, kind }) => `${by} ${kind}`).map((rows) => ({
      by: rows[0]!.by,
      kind: rows[0]!.kind,
      count: rows.length,
      examples: rows.slice(0, NAMED).map(({ id, index, reason }) => ({ id, index, reason })),
    })),
    leftOut: grouped(leftOut, ({ reason }) => reason).map((rows) => ({ reason: rows[0]!.reason, count: rows.length })),
    matrix: () => ranking.matrix,
    extent: (scorer?: string) =>
      extentOf(scorer === undefined ? ranking.matrix.totals : ranking.matrix.column(scorer).values),
    warnings: () => ranking.warnings,
    explain: ({ index }: { readonly index: number }) => ranking.explain({ index }),
  };
  return new TopRanking<T>(facts, notices);
}

function grouped<R>(rows: readonly R[], keyOf: (row: R) => string): readonly (readonly R[])[] {
  const groups = new Map<string, R[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return [...groups.values()];
}
