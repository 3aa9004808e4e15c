import {
  type Budget,
  budgetOf,
  chain,
  type CompiledProfile,
  evaluatePart,
  type Evaluation,
  executeCall,
  Failures,
  finish,
  type Plan,
  refuserOf,
  runAsync,
  run as runWhole,
  startPart,
} from '../engine/index.js';
import {
  type ColumnStats,
  columnStats,
  type LeftOutCount,
  leftOutCounts,
  NONE_RESCALED,
  type Pruned,
  type Ranking,
  rescaledScores,
} from '../ranking/index.js';
import {
  type Aggregates,
  aggregatesOf,
  EMPTY_AGGREGATES,
  mergeAggregates,
  type RetainedRow,
  shiftAggregates,
  TopKCollector,
} from '../stream/collector.js';
import { CHUNK_SIZE, completePart, retainedCount, type StreamRun, yieldToEventLoop } from '../stream/stream-run.js';
import { rankCollected, type RankStreamOptions } from '../stream/rank-stream.js';
import type { TopRanking } from '../stream/top-ranking.js';
import { unionExtent } from '../text/index.js';
import { sharedRunOf, wholeCall } from '../workers/index.js';
import {
  checkVerdict,
  decodeChosen,
  mergeRefusals,
  rankingOfChosen,
  refusalsOf,
  setState,
  type Sieved,
  SieveMismatch,
} from './chosen-ranking.js';
import type { Extremes } from './expression.js';
import { childExtremes, type FoundExtremes } from './extremes.js';
import { ODD } from './kept-rows.js';
import type { ChosenRow, SieveResult } from './sieve-rows.js';
import { setReason, type Sieve } from './statement.js';

/** How many of the most promising rows are judged at first, where pruning finishes in process; and how fast that grows. */
export const firstPromising = (count: number): number => Math.max(4096, 64 * count);
export const GROWTH = 8;

/**
 * Makes the ranking of what a statement gave, in the way that the profile needs.
 *
 * @returns undefined where more of the most promising rows are needed
 */
export async function finishRows(
  compiled: CompiledProfile,
  run: StreamRun,
  { isComplete }: Sieve,
  sieved: Sieved,
  options: RankStreamOptions,
  extremes: FoundExtremes | undefined,
): Promise<TopRanking<object> | undefined> {
  const { plan } = run;
  if (extremes) return finishScaled(isolated(run), sieved, extremes, budgetOf(plan, options.budget));
  if (setReason(plan.profile) !== undefined) return finishSet(compiled, run, sieved, options);
  const budget = budgetOf(plan, options.budget);
  if (plan.secondPhase?.how === 'prune' && !isComplete) return finishPruned(isolated(run), sieved, budget);
  return finishSieve(isolated(run), sieved, budget);
}

/** The same run with failures of its own: what is given up, or done again, must not be counted twice. */
function isolated(run: StreamRun): StreamRun {
  const failures = new Failures();
  failures.addAll(run.failures.entries);
  return { ...run, failures };
}

interface JudgedRow extends RetainedRow {
  readonly candidate: object;
}

/**
 * Judges what the sieve has left, with the engine, and makes the ranking of all. The rows about which SQL has promised
 * something are judged too: their verdicts must be the same.
 *
 * @throws SieveMismatch, and as a run does
 */
async function finishSieve(run: StreamRun, sieved: Sieved, budget: Budget | undefined): Promise<TopRanking<object>> {
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
const ofSomeRows = (column: ColumnStats): ColumnStats => {
  return { ...column, least: Infinity, most: -Infinity, constantValue: undefined };
};

/**
 * Ranks the rows that SQL has not refused as one set, as a ranking of all rows in this process would: what compares
 * candidates with each other sees those that the vetoes leave, in order, and a memory learns these. All of them are in
 * memory.
 *
 * @throws SieveMismatch, before any memory has learnt, and as a run does
 */
async function finishSet(
  compiled: CompiledProfile,
  run: StreamRun,
  sieved: Sieved,
  { budget, abort, weights }: RankStreamOptions,
): Promise<TopRanking<object>> {
  const { plan } = run;
  const { result } = sieved;
  const candidates = decodeChosen(sieved);
  const call = wholeCall(plan, sharedRunOf(run, weights), candidates, budget, abort);
  const ranked = executeCall(compiled.plan, call, (state) =>
    chain(runWhole(state), (found) => {
      for (const [position, row] of result.chosen.entries()) checkVerdict(plan, row, found.verdicts[position]!);
      return found;
    }),
  );
  const { plan: own, result: retained } = await runAsync(ranked);
  return rankingOfChosen(own, sieved, retained, {
    columns: columnStats(own, retained), // all that the vetoes leave is here
    rescaled: rescaledScores(own, retained),
    pruned: ({ pruned, leftOut }) => ({ facts: pruned, leftOut: leftOutCounts(leftOut) }),
  });
}

/**
 * Finishes where what is scaled over all candidates was scored in SQL: the rows that the statement left are judged as one
 * set, with those that have the extremes. A scale over these few is the scale over all.
 *
 * @throws SieveMismatch, and as a run does
 */
async function finishScaled(
  run: StreamRun,
  sieved: Sieved,
  { numbers, rows }: FoundExtremes,
  budget: Budget | undefined,
): Promise<TopRanking<object>> {
  const { plan } = run;
  const known = new Set(sieved.result.chosen.map(({ pos }) => pos));
  const extremes = rows.filter(({ pos }) => !known.has(pos));
  const chosen = [...sieved.result.chosen, ...extremes].toSorted((a, b) => a.pos - b.pos);
  const together = { ...sieved, result: { ...sieved.result, chosen } };
  const state = setState(run, decodeChosen(together), budget);
  const retained = await completePart(run, () => chain(evaluatePart(state), () => finish(state)));
  if (!haveExtremes(plan, retained, numbers))
    throw new SieveMismatch('the extremes of the rows are others than they were');
  const judged = chosen.map((row, position) => {
    const verdict = retained.verdicts[position]!;
    if (known.has(row.pos)) checkVerdict(plan, row, verdict);
    return known.has(row.pos) ? row : { ...row, verdict }; // SQL has counted it, whatever it said of it
  });
  return rankingOfChosen(plan, { ...together, result: { ...sieved.result, chosen: judged } }, retained, {
    columns: columnStats(plan, retained).map(ofSomeRows),
    rescaled: NONE_RESCALED,
  });
}

/** Whether the extremes of these rows are those that the statement was made with. */
const haveExtremes = (plan: Plan, evaluation: Evaluation, numbers: Extremes): boolean =>
  [...numbers].every(([child, known]) => {
    const [least, greatest] = childExtremes(plan, evaluation, child) ?? [];
    return least?.score === known?.least && greatest?.score === known?.greatest;
  });

/**
 * Finishes by pruning, as a ranking of all rows in this process would: expensive scorers are asked of the most promising
 * rows only. The scorers that SQL does not know are asked as often as there, where enough rows are given at once.
 *
 * @returns undefined where a row that was not given may still be among the best
 */
async function finishPruned(
  run: StreamRun,
  sieved: Sieved,
  budget: Budget | undefined,
): Promise<TopRanking<object> | undefined> {
  const { result } = sieved;
  const state = setState(run, decodeChosen(sieved), budget);
  const retained = await completePart(run, () => chain(evaluatePart(state), () => finish(state)));
  const best = retained.totals.toSorted((a, b) => b - a)[retainedCount(run.plan) - 1] ?? -Infinity;
  const bar = Math.max(best, run.plan.select.minScore ?? -Infinity);
  if (result.next >= bar && result.next > -Infinity) return undefined;
  for (const [position, row] of result.chosen.entries())
    checkVerdict(run.plan, row, retained.verdicts[position]!, true);
  return rankingOfChosen(run.plan, sieved, retained, {
    columns: columnStats(run.plan, retained).map(ofSomeRows),
    rescaled: NONE_RESCALED,
    pruned: (ranking) => {
      return { facts: prunedFacts(run, result, retained, ranking), leftOut: leftOutOf(result, ranking) };
    },
  });
}

/** How many rows that pass what SQL knows are not among the chosen. */
function outside({ counts, chosen }: SieveResult, isOne: (verdict: number) => boolean): number {
  let count = 0;
  for (const [verdict, many] of counts) if (verdict !== ODD && isOne(verdict)) count += many;
  return count - chosen.filter(({ verdict }) => verdict !== ODD && isOne(verdict)).length;
}

function prunedFacts(
  { plan }: StreamRun,
  result: SieveResult,
  { kept }: Evaluation,
  ranking: Ranking<object>,
): Pruned | undefined {
  const ids = plan.secondPhase?.ask ?? [];
  // Those that a scorer or a rule refuses were given to the scorers, too.
  const more = outside(result, (verdict) => verdict === 0 || refuserOf(verdict) >= plan.score.firstRefuser);
  const { exact, entries } = ranking.pruned ?? {
    exact: true,
    entries: ids.map((entry) => ({ entry, asked: kept.length, pruned: 0 })),
  };
  const all = entries.map((one) => ({ ...one, pruned: one.pruned + more }));
  return all.some(({ pruned }) => pruned > 0) ? { exact, entries: all } : undefined;
}

/** What was left out, by reason: of the chosen as pruning has it, and the rows that were never given. */
function leftOutOf(result: SieveResult, ranking: Ranking<object>): readonly LeftOutCount[] {
  const counts = new Map(leftOutCounts(ranking.leftOut).map(({ reason, count }) => [reason, count]));
  // The rows below the limit are the least promising: none of them was given before all others were.
  const left = outside(result, (verdict) => verdict === 0);
  const given = (result.counts.get(0) ?? 0) - left;
  const beyond = Math.max(0, (result.counts.get(0) ?? 0) - result.below - given);
  const below = left - beyond;
  const lowest = counts.get('below_min_score') ?? 0;
  counts.delete('below_min_score'); // the least promising come last
  if (beyond > 0) counts.set('out_of_reach', (counts.get('out_of_reach') ?? 0) + beyond);
  if (lowest + below > 0) counts.set('below_min_score', lowest + below);
  return Array.from(counts, ([reason, count]: readonly [string, number]) => ({ reason, count }));
}
