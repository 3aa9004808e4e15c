import { leftOutCounts, refusedCounts, topCountsOf } from '../ranking/counts.js';
import type { Ranking } from '../ranking/ranking.js';
import { extentOf } from '../text/extent.js';
import { TopRanking } from './top-ranking.js';

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
    leftOut: leftOutCounts(leftOut),
    matrix: () => ranking.matrix,
    extent: (scorer?: string) =>
      extentOf(scorer === undefined ? ranking.matrix.totals : ranking.matrix.column(scorer).values),
    warnings: () => ranking.warnings,
    explain: ({ index }: { readonly index: number }) => ranking.explain({ index }),
  };
  return new TopRanking<T>(facts, notices);
}
