import type { Problem } from '../../contract/index.js';
import { frozen } from '../../explain/plain.js';
import { NO_EXTENT } from '../../matrix/extent.js';
import { ScoreMatrix } from '../../matrix/score-matrix.js';
import type { Plan } from '../compile/plan.js';
import { idWithin } from '../ids.js';
import type { Outcome } from '../outcome.js';
import { Ranking } from '../ranking.js';
import type { Selected } from '../rows.js';
import { streamWarnings } from '../warnings/index.js';
import type { Census } from './census.js';
import { type LeftOutCount, type TopCounts, TopRanking } from './top-ranking.js';

/** What a stream came to. */
export interface StreamOutcome {
  readonly census: Census;
  /** The ranking of those that are held. */
  readonly held: Outcome;
  /** Where each of them stood in the stream. */
  readonly places: readonly number[];
  /** Fields that the profile reads and nobody had. */
  readonly absent: readonly Problem[];
  /** How many of the selected were asked for; all where not said. */
  readonly top: number | undefined;
  /** What its reader should know of how it was made. */
  readonly notices?: readonly string[];
}

/** The best of a stream: what is held is a ranking of its own, whose rows are told where they stood. */
export function topOfStream<T>(plan: Plan, outcome: StreamOutcome): TopRanking<T> {
  const { census, held, places, absent, top, notices } = outcome;
  const ranking = new Ranking<T>(plan, held, () => Promise.reject(new Error('of a stream nobody asks what if')));
  const leftOut = leftOutCounts(plan, ranking, outcome);
  const inStream = (row: Selected<T>): Selected<T> => {
    const index = places[row.index]!;
    return Object.freeze({ ...row, id: idWithin(plan.profile, row.candidate) ?? `#${index}`, index });
  };
  const facts = {
    ranking,
    selected: () => ranking.selected.slice(0, top).map(inStream),
    counts: countsOf(census, leftOut),
    refused: census.refused.map(({ examples, ...group }) => ({
      ...group,
      examples: examples.map(({ id, index, reason }) => ({ id: id ?? `#${index}`, index, reason })),
    })),
    leftOut,
    matrix: () => {
      const { entries, index, totals } = ranking.matrix;
      const inAll = index.map((at) => places[at]!);
      return new ScoreMatrix(entries, inAll, totals, (entry, row) => ranking.matrix.cell(entry, row));
    },
    extent: (scorer?: string) =>
      scorer === undefined ? census.totals : (census.columns.find(({ id }) => id === scorer)?.extent ?? NO_EXTENT),
    warnings: () => streamWarnings(plan, absent, census.columns, held),
    explain: (row: Pick<Selected<unknown>, 'id' | 'index'>) => {
      // How many have its id is not known: nobody holds all the ids.
      const { outcome: came, sameId: _, ...explanation } = ranking.explain({ index: places.indexOf(row.index) });
      const among = came.kind === 'ranked' ? { ...came, of: census.ranked } : came;
      return frozen({ ...explanation, id: row.id, index: row.index, outcome: among });
    },
  };
  return new TopRanking<T>(facts, notices);
}

const total = (groups: readonly { readonly count: number }[]): number =>
  groups.reduce((sum, { count }) => sum + count, 0);

function countsOf({ given, ranked, refused: groups }: Census, left: readonly LeftOutCount[]): TopCounts {
  const [leftOut, refused] = [total(left), total(groups)];
  return { given, ranked, selected: given - leftOut - refused, leftOut, refused };
}

/** What found no room is held; of what is below it, the number is enough. */
function leftOutCounts(
  plan: Plan,
  ranking: Ranking<unknown>,
  { census, held }: StreamOutcome,
): readonly LeftOutCount[] {
  const unpacked = held.arranged ? ranking.leftOut.filter(({ reason }) => reason !== 'top') : [];
  const enough = census.ranked - census.low;
  const below = { top: Math.max(0, enough - (plan.select.top ?? enough)), min_score: census.low };
  const counts = new Map<string, number>();
  for (const { reason } of unpacked) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  for (const [reason, count] of Object.entries(below)) if (count > 0) counts.set(reason, count);
  return Array.from(counts, ([reason, count]) => ({ reason, count }));
}
