import type { Problem } from '../diagnostics/problem.js';
import { ownIdOf } from '../engine/candidate-id.js';
import type { Plan } from '../engine/plan.js';
import type { RunResult } from '../engine/run-state.js';
import { deepFreeze } from '../explain/json-value.js';
import type { LeftOutCount, TopCounts } from '../ranking/counts.js';
import { Ranking } from '../ranking/ranking.js';
import type { Selected } from '../ranking/rows.js';
import { ScoreMatrix } from '../ranking/score-matrix.js';
import { streamWarnings } from '../ranking/warnings/run-warnings.js';
import { NO_EXTENT } from '../text/extent.js';
import type { Aggregates } from './aggregates.js';
import { TopRanking } from './top-ranking.js';

/** What a stream came to. */
export interface StreamResult {
  readonly aggregates: Aggregates;
  /** The ranking of those that are held. */
  readonly retained: RunResult;
  /** Where each of them stood in the stream. */
  readonly positions: readonly number[];
  /** Fields that the profile reads and nobody had. */
  readonly absentPaths: readonly Problem[];
  /** How many of the selected were asked for; all where not said. */
  readonly top: number | undefined;
  /** What its reader should know of how it was made. */
  readonly notices?: readonly string[];
}

/** The best of a stream: what is held is a ranking of its own, whose rows are told where they stood. */
export function topOfStream<T>(plan: Plan, outcome: StreamResult): TopRanking<T> {
  const { aggregates, retained, positions, absentPaths, top, notices } = outcome;
  const ranking = new Ranking<T>(plan, retained, () => Promise.reject(new Error('of a stream nobody asks what if')));
  const leftOut = streamLeftOutCounts(plan, ranking, outcome);
  const inStream = (row: Selected<T>): Selected<T> => {
    const index = positions[row.index]!;
    return Object.freeze({ ...row, id: ownIdOf(plan.profile, row.candidate) ?? `#${index}`, index });
  };
  const facts = {
    ranking,
    selected: () => ranking.selected.slice(0, top).map(inStream),
    counts: streamCounts(aggregates, leftOut),
    refused: aggregates.refused.map(({ examples, ...group }) => ({
      ...group,
      examples: examples.map(({ id, index, reason }) => ({ id: id ?? `#${index}`, index, reason })),
    })),
    leftOut,
    matrix: () => {
      const { entries, index, totals } = ranking.matrix;
      const inAll = index.map((at) => positions[at]!);
      return new ScoreMatrix(entries, inAll, totals, (entry, row) => ranking.matrix.cell(entry, row));
    },
    extent: (scorer?: string) =>
      scorer === undefined
        ? aggregates.totals
        : (aggregates.columns.find(({ id }) => id === scorer)?.extent ?? NO_EXTENT),
    warnings: () => streamWarnings(plan, absentPaths, aggregates.columns, retained),
    explain: (row: Pick<Selected<unknown>, 'id' | 'index'>) => {
      // How many have its id is not known: nobody holds all the ids.
      const { outcome: came, sameId: _, ...explanation } = ranking.explain({ index: positions.indexOf(row.index) });
      const among = came.kind === 'ranked' ? { ...came, of: aggregates.ranked } : came;
      return deepFreeze({ ...explanation, id: row.id, index: row.index, outcome: among });
    },
  };
  return new TopRanking<T>(facts, notices);
}

const sumOfCounts = (groups: readonly { readonly count: number }[]): number =>
  groups.reduce((sum, { count }) => sum + count, 0);

function streamCounts({ given, ranked, refused: groups }: Aggregates, left: readonly LeftOutCount[]): TopCounts {
  const [leftOut, refused] = [sumOfCounts(left), sumOfCounts(groups)];
  return { given, ranked, selected: given - leftOut - refused, leftOut, refused };
}

/** What found no room is held; of what is below it, the number is enough. */
function streamLeftOutCounts(
  plan: Plan,
  ranking: Ranking<unknown>,
  { aggregates, retained }: StreamResult,
): readonly LeftOutCount[] {
  const unpacked = retained.arrangement ? ranking.leftOut.filter(({ reason }) => reason !== 'top') : [];
  const enough = aggregates.ranked - aggregates.belowMinScore;
  const below = { top: Math.max(0, enough - (plan.select.top ?? enough)), min_score: aggregates.belowMinScore };
  const counts = new Map<string, number>();
  for (const { reason } of unpacked) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  for (const [reason, count] of Object.entries(below)) if (count > 0) counts.set(reason, count);
  return Array.from(counts, ([reason, count]) => ({ reason, count }));
}
