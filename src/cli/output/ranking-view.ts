import {
  type NotSelectedCount,
  notSelectedCounts,
  type RefusedCount,
  refusedCounts,
  type TopCounts,
  type Ranking,
} from '../../ranking/index.js';
import { type Extent, extentOf } from '../../base/index.js';

type RankingMember =
  | 'profile'
  | 'labels'
  | 'selected'
  | 'budget'
  | 'pruned'
  | 'report'
  | 'matrix'
  | 'weights'
  | 'caseWeights'
  | 'terms'
  | 'nameOf'
  | 'degraded'
  | 'warnings';

/** The part of a ranking that is displayed: rows for the selected, counts for all others. A `TopRanking` has this type. */
export interface RankingView extends Pick<Ranking<unknown>, RankingMember> {
  readonly counts: TopCounts;
  readonly refused: readonly RefusedCount[];
  readonly notSelected: readonly NotSelectedCount[];
  /** Says how the ranking was computed if that differs from the options. */
  readonly notices: readonly string[];
  /** The range of all totals. */
  extent(): Extent;
}

/** The view of a whole ranking. */
export function rankingView(ranking: Ranking<unknown>, notices: RankingView['notices'] = []): RankingView {
  const { profile, labels, selected, budget, pruned, report, weights, caseWeights, degraded, warnings } = ranking;
  return {
    profile,
    labels,
    selected,
    counts: ranking.counts,
    refused: refusedCounts(ranking.each('refused')),
    notSelected: notSelectedCounts(ranking.each('notSelected')),
    budget,
    pruned,
    report,
    weights,
    caseWeights,
    terms: (which) => ranking.terms(which),
    nameOf: (row) => ranking.nameOf(row),
    degraded,
    warnings,
    get matrix() {
      return ranking.matrix;
    },
    extent: () => extentOf(ranking.matrix.totals),
    notices,
  };
}
