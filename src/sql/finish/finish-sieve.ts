import { type Budget, evaluatePart, Failures, type Plan, startPart } from '../../engine/index.js';
import { type ColumnStats, NONE_RESCALED } from '../../ranking/index.js';
import { unionExtent } from '../../text/index.js';
import {
  type Aggregates,
  aggregatesOf,
  EMPTY_AGGREGATES,
  mergeAggregates,
  shiftAggregates,
} from '../../stream/aggregates.js';
import { CHUNK_SIZE, yieldToEventLoop } from '../../stream/chunks.js';
import { retainedCount } from '../../stream/memory-bound.js';
import { rankCollected } from '../../stream/rank-stream.js';
import { completePart, type StreamRun } from '../../stream/stream-run.js';
import { type RetainedRow, TopKCollector } from '../../stream/top-k-collector.js';
import type { TopRanking } from '../../stream/top-ranking.js';
import { ODD } from '../stages/verdict-steps.js';
import { checkVerdict } from './check-verdict.js';
import { mergeRefusals, refusalsOf } from './refusals.js';
import type { ChosenRow, SieveResult } from '../statement/sieve-rows.js';
import type { Sieved } from './sieved.js';

interface JudgedRow extends RetainedRow {
  readonly candidate: object;
}

/**
 * Judges what the sieve has left, with the engine, and makes the ranking of all. The rows about which SQL has promised
 * something are judged too: their verdicts must be the same.
 *
 * @throws SieveMismatch, and as a run does
 */
export async function finishSieve(
  run: StreamRun,
  sieved: Sieved,
  budget: Budget | undefined,
): Promise<TopRanking<object>> {
  const { result, absent, notices } = sieved;
  const topK = new TopKCollector<JudgedRow>(run.plan, retainedCount(run.plan));
  const odd = await judge(
    run,
    sieved,
    result.chosen.filter(({ verdict }) => verdict === ODD),
    topK,
  );
  const sure = await judge(
    { ...run, failures: new Failures() }, // those of what SQL has judged are none
    sieved,
    result.chosen.filter(({ verdict }) => verdict !== ODD),
    topK,
  );
  const aggregates = mergeWithCounts(run.plan, result, odd, sure);
  const candidates = topK.retained().map(({ candidate }) => candidate);
  const absentPaths = await absent.warnings();
  return rankCollected(run, { topK, aggregates, unseen: { warnings: () => absentPaths } }, candidates, budget, notices);
}

/** Evaluates rows, chunk by chunk, and retains those that may be selected. The aggregates have positions of the input. */
async function judge(
  run: StreamRun,
  { relation, absent }: Sieved,
  rows: readonly ChosenRow[],
  topK: TopKCollector<JudgedRow>,
): Promise<Aggregates> {
  let aggregates = EMPTY_AGGREGATES;
  for (let from = 0; from < rows.length; from += CHUNK_SIZE) {
    const chunk = rows.slice(from, from + CHUNK_SIZE);
    const candidates = chunk.map(({ cells }) => relation.decode(cells));
    absent.add(candidates);
    // oxlint-disable-next-line no-await-in-loop -- in memory for one
    const evaluation = await completePart(run, () => evaluatePart(startPart(run, candidates, run.failures)));
    for (const [k, row] of chunk.entries()) checkVerdict(run.plan, row, evaluation.verdicts[k]!);
    topK.collect(evaluation, 0, ({ total, keys }, position) => {
      return { total, keys, index: chunk[position]!.pos, candidate: candidates[position]! };
    });
    aggregates = mergeAggregates(aggregates, shiftAggregates(aggregatesOf(run.plan, evaluation, 0), from));
    // oxlint-disable-next-line no-await-in-loop -- between chunks
    await yieldToEventLoop(run.abort);
  }
  return withPositions(aggregates, rows);
}

/** Positions among some rows become positions of the input. */
function withPositions(aggregates: Aggregates, rows: readonly ChosenRow[]): Aggregates {
  const move = <R extends { readonly index: number }>(one: R): R => ({ ...one, index: rows[one.index]!.pos });
  return {
    ...aggregates,
    refused: aggregates.refused.map((group) => ({ ...group, examples: group.examples.map(move) })),
    columns: aggregates.columns.map((one) => ({
      ...one,
      firstOutOfRange: one.firstOutOfRange && move(one.firstOutOfRange),
    })),
  };
}

/** Adds what SQL has counted. What takes the scores of all rows is left out: that sums were scaled up. */
function mergeWithCounts(plan: Plan, { counts, below }: SieveResult, odd: Aggregates, sure: Aggregates): Aggregates {
  return {
    given: [...counts.values()].reduce((sum, count) => sum + count, 0),
    ranked: (counts.get(0) ?? 0) + odd.ranked,
    belowMinScore: below + odd.belowMinScore,
    refused: mergeRefusals(
      refusalsOf(plan, counts),
      odd.refused,
      sure.refused.map((group) => ({ ...group, count: 0 })),
    ),
    totals: unionExtent(odd.totals, sure.totals),
    columns: mergeAggregates(odd, sure).columns.map(ofSomeRows),
    rescaled: NONE_RESCALED,
    infiniteDates: odd.infiniteDates, // none: objects do not say it, and a statement counts them
  };
}

/**
 * What the rows that were judged say of the scores of all. Those that left their range are all among them, since they are
 * odd; the least and the greatest, or that all are equal, are not known.
 */
export const ofSomeRows = (column: ColumnStats): ColumnStats => {
  return { ...column, least: Infinity, most: -Infinity, constantValue: undefined };
};
