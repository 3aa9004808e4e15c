import {
  type Evaluation,
  ownIdOf,
  type Plan,
  refusalOf,
  refuserOf,
  refuses,
  type RunResult,
} from '../../engine/index.js';
import { refusalReason } from '../../explain/index.js';
import { Ranking } from '../../ranking/index.js';
import { extentOf } from '../../text/index.js';
import type { Aggregates } from '../../stream/aggregates.js';
import { type StreamResult, topOfStream } from '../../stream/top-of-stream.js';
import type { TopRanking } from '../../stream/top-ranking.js';
import { mergeRefusals, refusalsOf } from './refusals.js';
import type { SieveResult } from '../statement/sieve-rows.js';
import type { Sieved } from './sieved.js';
import { ODD } from '../stages/verdict-steps.js';

/** What a run over the chosen rows says of all rows. */
interface OfAll extends Pick<Aggregates, 'columns' | 'rescaled'> {
  /** Makes what the others add, of the ranking of the chosen; where it is left out, SQL has scored all rows. */
  readonly pruned?: (ranking: Ranking<object>) => NonNullable<StreamResult['pruned']>;
}

/**
 * The ranking of all rows, by a run over the chosen ones: with their positions among all, and with the counts of those
 * that SQL has refused.
 *
 * @param retained the run over the chosen rows
 */
export async function rankingOfChosen(
  plan: Plan,
  { result, absent, notices }: Sieved,
  retained: RunResult,
  ofAll: OfAll,
): Promise<TopRanking<object>> {
  const ranking = new Ranking<object>(plan, retained, {
    whatIf: () => Promise.reject(new Error('a sieve has no what-if')),
    withField: () => 'a sieve has no what-if',
  });
  return topOfStream<object>(plan, {
    aggregates: aggregatesOf(plan, result, retained, ranking, ofAll),
    retained,
    positions: result.chosen.map(({ pos }) => pos),
    absentPaths: await absent.warnings(),
    pruned: ofAll.pruned?.(ranking),
    notices,
  });
}

function aggregatesOf(
  plan: Plan,
  { counts, below, chosen }: SieveResult,
  evaluation: Evaluation,
  ranking: Ranking<object>,
  { columns, rescaled, pruned }: OfAll,
): Aggregates {
  const placed = <R extends { readonly index: number }>(row: R): R => ({ ...row, index: chosen[row.index]!.pos });
  const refused = chosen.flatMap(({ pos, verdict: said }, position) => {
    const verdict = evaluation.verdicts[position]!;
    if (!refuses(verdict)) return [];
    const reason = refusalReason(plan, evaluation, position, verdict);
    const example = { id: ownIdOf(plan.profile, evaluation.candidates[position]), index: pos, reason };
    const by = plan.refusers[refuserOf(verdict)] ?? 'combine';
    return [{ by, kind: refusalOf(verdict), count: said > 0 ? 0 : 1, examples: [example] }];
  });
  return {
    given: [...counts.values()].reduce((sum, count) => sum + count, 0),
    ...(pruned
      ? { ranked: evaluation.totals.length, belowMinScore: 0 } // what was left out is counted apart
      : withCounts(ranking, counts, below, chosen)),
    refused: mergeRefusals(refusalsOf(plan, counts), refused),
    totals: extentOf(evaluation.totals),
    columns: columns.map((one) => ({
      ...one,
      extent: extentOf(ranking.matrix.column(one.id).values),
      firstOutOfRange: one.firstOutOfRange && placed(one.firstOutOfRange),
    })),
    rescaled: { ...rescaled, first: rescaled.first && placed(rescaled.first) },
    infiniteDates: new Map(), // a statement counts them
  };
}

/** How many are ranked, and below `min_score`, where SQL has scored all rows but the odd. */
function withCounts(
  { ranked, leftOut }: Ranking<object>,
  counts: SieveResult['counts'],
  below: number,
  chosen: SieveResult['chosen'],
): Pick<Aggregates, 'ranked' | 'belowMinScore'> {
  const isOdd = ({ index }: { readonly index: number }): boolean => chosen[index]?.verdict === ODD;
  return {
    ranked: (counts.get(0) ?? 0) + ranked.filter(isOdd).length,
    belowMinScore: below + leftOut.filter((row) => row.reason === 'min_score' && isOdd(row)).length,
  };
}
