import { type Evaluation, ownIdOf, type Plan, refusalOf, refuserOf, refuses, type RunResult } from '../engine/index.js';
import { refusalReason } from '../explain/index.js';
import { NONE_RESCALED, Ranking } from '../ranking/index.js';
import { extentOf } from '../text/index.js';
import type { Aggregates } from '../stream/aggregates.js';
import { type StreamResult, topOfStream } from '../stream/top-of-stream.js';
import type { TopRanking } from '../stream/top-ranking.js';
import { mergeRefusals, refusalsOf } from './finish.js';
import type { SieveResult } from './sieve-rows.js';

/** What a run over the chosen rows says of all rows. */
type OfAll = NonNullable<StreamResult['pruned']>;

/**
 * The ranking of all rows, by a run over the chosen ones: with their positions among all, and with the counts of those
 * that SQL has refused.
 *
 * @param retained the run over the chosen rows
 * @param ofAll    makes what the others add, of the ranking of the chosen
 */
export function rankingOfChosen(
  plan: Plan,
  result: SieveResult,
  retained: RunResult,
  ofAll: (ranking: Ranking<object>) => OfAll,
): TopRanking<object> {
  const ranking = new Ranking<object>(plan, retained, () => Promise.reject(new Error('a sieve has no what-if')));
  return topOfStream<object>(plan, {
    aggregates: aggregatesOf(plan, result, retained, ranking),
    retained,
    positions: result.chosen.map(({ pos }) => pos),
    absentPaths: [],
    pruned: ofAll(ranking),
  });
}

function aggregatesOf(
  plan: Plan,
  { counts, chosen }: SieveResult,
  evaluation: Evaluation,
  ranking: Ranking<object>,
): Aggregates {
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
    ranked: evaluation.totals.length,
    belowMinScore: 0, // what was left out is counted apart
    refused: mergeRefusals(refusalsOf(plan, counts), refused),
    totals: extentOf(evaluation.totals),
    columns: evaluation.scored.scoring.active.map(({ entry: { id } }) => {
      const extent = extentOf(ranking.matrix.column(id).values);
      const nothing = { least: Infinity, most: -Infinity, evaluated: 0, outOfRangeCount: 0 };
      return { id, extent, ...nothing, constantValue: undefined, firstOutOfRange: undefined };
    }),
    rescaled: NONE_RESCALED,
  };
}
