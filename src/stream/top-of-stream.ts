import type { Problem } from '../diagnostics/index.js';
import { ownIdOf, pinnedBefore, type Plan, type RunResult } from '../engine/index.js';
import { deepFreeze } from '../explain/index.js';
import {
  infiniteDateWarnings,
  type LeftOutCount,
  type Pruned,
  Ranking,
  type Selected,
  streamWarnings,
  type TopCounts,
} from '../ranking/index.js';
import { NO_EXTENT } from '../text/index.js';
import type { Aggregates } from './aggregates.js';
import { TopRanking } from './top-ranking.js';

/** What was collected of a stream, and the ranking of its retained rows. */
export interface StreamResult {
  readonly aggregates: Aggregates;
  /** The run over the retained candidates. */
  readonly retained: RunResult;
  /** The position of each of them in the stream. */
  readonly positions: readonly number[];
  /** Warnings about fields that the profile reads and no candidate has. */
  readonly absentPaths: readonly Problem[];
  /** Where scorers were pruned: on how many rows, and what was left out, the rows that are not retained included. */
  readonly pruned?: { readonly facts: Pruned | undefined; readonly leftOut: readonly LeftOutCount[] } | undefined;
  /** How the ranking was computed, where that differs from the options. */
  readonly notices?: readonly string[];
}

/** The ranking of a stream: that of the retained candidates, with ids and positions of the stream and all its counts. */
export function topOfStream<T>(plan: Plan, result: StreamResult): TopRanking<T> {
  const { aggregates, retained, positions, absentPaths, notices } = result;
  const ranking = new Ranking<T>(plan, retained, {
    whatIf: () => Promise.reject(new Error('a stream has no what-if')),
    withField: () => 'a stream has no what-if',
  });
  const leftOut = streamLeftOutCounts(plan, ranking, result);
  const inStream = (row: Selected<T>): Selected<T> => {
    const index = positions[row.index]!;
    return Object.freeze({ ...row, id: ownIdOf(plan.profile, row.candidate) ?? `#${index}`, index });
  };
  const counts = streamCounts(aggregates, leftOut);
  const refused = aggregates.refused.map(({ examples, ...group }) => ({
    ...group,
    examples: examples.map(({ id, index, reason }) => ({ id: id ?? `#${index}`, index, reason })),
  }));
  const source = {
    ranking,
    selected: () => ranking.selected.map(inStream),
    counts,
    refused,
    leftOut,
    pruned: result.pruned?.facts,
    matrix: () => {
      const { matrix } = ranking;
      return matrix.withIndex(matrix.index.map((at) => positions[at]!));
    },
    extent: (scorer?: string) =>
      scorer === undefined
        ? aggregates.totals
        : (aggregates.columns.find(({ id }) => id === scorer)?.extent ?? NO_EXTENT),
    warnings: () => {
      const { columns, rescaled, infiniteDates } = aggregates;
      const absent = [...absentPaths, ...infiniteDateWarnings(plan.profile, infiniteDates)];
      return streamWarnings(plan, absent, retained, { columns, rescaled, positions, counts, refused });
    },
    nameOf: (row: Pick<Selected<unknown>, 'id' | 'index'>) => ranking.nameOf(row),
    explain: (row: Pick<Selected<unknown>, 'id' | 'index'>) => {
      // How many candidates share the id is unknown: the ids of the others are not retained.
      const { outcome, sameId: _, ...explanation } = ranking.explain({ index: positions.indexOf(row.index) });
      const among = outcome.kind === 'ranked' ? { ...outcome, of: aggregates.ranked } : outcome;
      return deepFreeze({ ...explanation, id: row.id, index: row.index, outcome: among });
    },
    terms: ({ index }: { readonly index: number }) => ranking.terms({ index: positions.indexOf(index) }),
  };
  return new TopRanking<T>(source, notices);
}

const sumOfCounts = (groups: readonly { readonly count: number }[]): number =>
  groups.reduce((sum, { count }) => sum + count, 0);

function streamCounts({ given, ranked, refused: groups }: Aggregates, left: readonly LeftOutCount[]): TopCounts {
  const [leftOut, refused] = [sumOfCounts(left), sumOfCounts(groups)];
  return { given, ranked, selected: given - leftOut - refused, leftOut, refused };
}

/** Counts what was left out: rows that found no room in the budget are retained, those below the top are a number. */
function streamLeftOutCounts(
  plan: Plan,
  ranking: Ranking<unknown>,
  { aggregates, retained, pruned }: StreamResult,
): readonly LeftOutCount[] {
  if (pruned) return pruned.leftOut;
  const unpacked = retained.arrangement ? ranking.leftOut.filter(({ reason }) => reason !== 'top') : [];
  const enough = aggregates.ranked - aggregates.belowMinScore;
  const { top = enough, offset } = plan.select;
  const below = {
    offset: Math.min(offset, enough) + pinnedBefore(plan, retained.pinned).length,
    top: Math.max(0, enough - offset - top),
    min_score: aggregates.belowMinScore,
  };
  const counts = new Map<string, number>();
  for (const { reason } of unpacked) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  for (const [reason, count] of Object.entries(below)) if (count > 0) counts.set(reason, count);
  return Array.from(counts, ([reason, count]) => ({ reason, count }));
}
