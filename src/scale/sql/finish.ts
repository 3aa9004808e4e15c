import {
  executeCall,
  startPart,
  Failures,
  refuserOf,
  type CompiledProfile,
  type Plan,
  type Evaluation,
  evaluatePart,
  finish,
  run as runWhole,
  budgetOf,
  type Budget,
  chain,
  runAsync,
} from '../../engine/index.js';
import { type Ranking, type NotSelectedCount, notSelectedCounts, type Pruned } from '../../ranking/index.js';
import {
  type Aggregates,
  aggregatesOf,
  EMPTY_AGGREGATES,
  mergeAggregates,
  type RetainedRow,
  shiftAggregates,
  TopKCollector,
  withExamples,
  CHUNK_SIZE,
  completePart,
  retainedCount,
  type StreamRun,
  yieldToEventLoop,
  rankCollected,
  type RankStreamOptions,
  type TopRanking,
} from '../../pipeline/index.js';
import { unionExtent } from '../../base/index.js';
import { sharedRunOf, wholeCall } from '../parts/index.js';
import {
  checkVerdict,
  decodeChosen,
  mergeRefusals,
  rankingOfChosen,
  refusalsOf,
  setState,
  type Prefiltered,
  PrefilterMismatch,
} from './chosen-ranking.js';
import type { Extremes } from './expression.js';
import { childExtremes, type FoundExtremes } from './extremes.js';
import { UNCERTAIN } from './kept-rows.js';
import type { ChosenRow, PrefilterResult } from './prefilter-rows.js';
import { setReason, type Prefilter } from './statement.js';

/**
 * The number of most promising rows that the first statement returns if the process prunes, and the factor by which it
 * grows.
 */
export const firstPromising = (count: number): number => Math.max(4096, 64 * count);
export const GROWTH = 8;

/**
 * Makes the ranking from the result of a statement.
 *
 * @returns undefined if more of the most promising rows are needed
 */
export async function finishRows(
  compiled: CompiledProfile,
  run: StreamRun,
  { isComplete }: Prefilter,
  prefiltered: Prefiltered,
  options: RankStreamOptions,
  extremes: FoundExtremes | undefined,
): Promise<TopRanking<object> | undefined> {
  const { plan } = run;
  if (extremes) return finishScaled(isolated(run), prefiltered, extremes, budgetOf(plan, options.budget));
  if (setReason(plan.profile) !== undefined) return finishSet(compiled, run, prefiltered, options);
  const budget = budgetOf(plan, options.budget);
  if (plan.secondPhase?.how === 'prune' && !isComplete) return finishPruned(isolated(run), prefiltered, budget);
  return finishPrefiltered(isolated(run), prefiltered, budget);
}

/** A copy of a run with its own failures, so that failures of abandoned or repeated work are not counted twice. */
export function isolated(run: StreamRun): StreamRun {
  const failures = new Failures();
  failures.addAll(run.failures.entries);
  return { ...run, failures };
}

interface JudgedRow extends RetainedRow {
  readonly candidate: object;
}

/**
 * Evaluates the returned rows with the engine, and makes the ranking of all rows. Checks the engine's verdict on each
 * row that SQL is certain about.
 *
 * @throws PrefilterMismatch, and as a run does
 */
async function finishPrefiltered(
  run: StreamRun,
  prefiltered: Prefiltered,
  budget: Budget | undefined,
): Promise<TopRanking<object>> {
  const { result, absent, notices } = prefiltered;
  const topK = new TopKCollector<JudgedRow>(run.plan, retainedCount(run.plan));
  const uncertain = await judge(
    run,
    prefiltered,
    result.chosen.filter(({ verdict }) => verdict === UNCERTAIN),
    topK,
  );
  const sure = await judge(
    { ...run, failures: new Failures() }, // ignored, since SQL has scored these rows
    prefiltered,
    result.chosen.filter(({ verdict }) => verdict !== UNCERTAIN),
    topK,
  );
  const aggregates = mergeWithCounts(run.plan, result, uncertain, sure);
  const candidates = topK.retained().map(({ candidate }) => candidate);
  const absentPaths = await absent.warnings();
  return rankCollected(run, { topK, aggregates, unseen: { warnings: () => absentPaths } }, candidates, budget, notices);
}

/** Evaluates rows in chunks, and retains those that may be selected. The aggregates have positions of the input. */
async function judge(
  run: StreamRun,
  { relation, absent }: Prefiltered,
  rows: readonly ChosenRow[],
  topK: TopKCollector<JudgedRow>,
): Promise<Aggregates> {
  let aggregates = EMPTY_AGGREGATES;
  for (let from = 0; from < rows.length; from += CHUNK_SIZE) {
    const chunk = rows.slice(from, from + CHUNK_SIZE);
    const candidates = chunk.map(({ cells }) => relation.decode(cells));
    absent.add(candidates);
    // one chunk in memory
    const evaluation = await completePart(run, () => evaluatePart(startPart(run, candidates, run.failures)));
    for (const [k, row] of chunk.entries()) checkVerdict(run.plan, row, evaluation.verdicts[k]!);
    topK.collect(evaluation, 0, ({ total, keys }, position) => {
      return { total, keys, index: chunk[position]!.pos, candidate: candidates[position]! };
    });
    aggregates = mergeAggregates(aggregates, shiftAggregates(aggregatesOf(run.plan, evaluation, 0), from));
    // oxlint-disable-next-line no-await-in-loop -- between chunks
    await yieldToEventLoop(run.abort);
  }
  return withExamples(aggregates, (row) => ({ ...row, index: rows[row.index]!.pos }));
}

/** Adds the rows that SQL has counted. */
function mergeWithCounts(
  plan: Plan,
  { counts, below }: PrefilterResult,
  uncertain: Aggregates,
  sure: Aggregates,
): Aggregates {
  return {
    given: [...counts.values()].reduce((sum, count) => sum + count, 0),
    ranked: (counts.get(0) ?? 0) + uncertain.ranked,
    belowMinScore: below + uncertain.belowMinScore,
    refused: mergeRefusals(
      refusalsOf(plan, counts),
      uncertain.refused,
      sure.refused.map((group) => ({ ...group, count: 0 })),
    ),
    totals: unionExtent(uncertain.totals, sure.totals),
    infiniteDates: uncertain.infiniteDates, // empty: a statement counts them
  };
}

/**
 * Ranks the rows that SQL has not refused as one set, all in memory, as a ranking in this process would. Entries that
 * compare candidates see the rows that pass the vetoes, in order. Memories are updated with the same rows.
 *
 * @throws PrefilterMismatch, before any memory is updated, and as a run does
 */
async function finishSet(
  compiled: CompiledProfile,
  run: StreamRun,
  prefiltered: Prefiltered,
  { budget, signal, weights }: RankStreamOptions,
): Promise<TopRanking<object>> {
  const { plan } = run;
  const { result } = prefiltered;
  const candidates = decodeChosen(prefiltered);
  const call = wholeCall(plan, sharedRunOf(run, weights), candidates, budget, signal);
  const ranked = executeCall(compiled.plan, call, (state) =>
    chain(runWhole(state), (found) => {
      for (const [position, row] of result.chosen.entries()) checkVerdict(plan, row, found.verdicts[position]!);
      return found;
    }),
  );
  const { plan: own, result: retained } = await runAsync(ranked);
  return rankingOfChosen(own, prefiltered, retained, ({ pruned, notSelected }) => ({
    facts: pruned,
    notSelected: notSelectedCounts(notSelected),
  }));
}

/**
 * Finishes if SQL has computed scores that scale over all candidates. Evaluates the returned rows and the rows with the
 * extremes as one set: the scale over these rows is the scale over all.
 *
 * @throws PrefilterMismatch, and as a run does
 */
async function finishScaled(
  run: StreamRun,
  prefiltered: Prefiltered,
  { numbers, rows }: FoundExtremes,
  budget: Budget | undefined,
): Promise<TopRanking<object>> {
  const { plan } = run;
  const known = new Set(prefiltered.result.chosen.map(({ pos }) => pos));
  const extremes = rows.filter(({ pos }) => !known.has(pos));
  const chosen = [...prefiltered.result.chosen, ...extremes].toSorted((a, b) => a.pos - b.pos);
  const together = { ...prefiltered, result: { ...prefiltered.result, chosen } };
  const state = setState(run, decodeChosen(together), budget);
  const retained = await completePart(run, () => chain(evaluatePart(state), () => finish(state)));
  if (!haveExtremes(plan, retained, numbers)) throw new PrefilterMismatch('the extremes of the rows have changed');
  const judged = chosen.map((row, position) => {
    const verdict = retained.verdicts[position]!;
    if (known.has(row.pos)) checkVerdict(plan, row, verdict);
    return known.has(row.pos) ? row : { ...row, verdict }; // SQL has counted this row already
  });
  return rankingOfChosen(plan, { ...together, result: { ...prefiltered.result, chosen: judged } }, retained);
}

/** Whether the extremes of these rows are those of the statement. */
const haveExtremes = (plan: Plan, evaluation: Evaluation, numbers: Extremes<number>): boolean =>
  [...numbers].every(([child, known]) => {
    const [least, greatest] = childExtremes(plan, evaluation, child) ?? [];
    return least?.score === known?.least && greatest?.score === known?.greatest;
  });

/**
 * Finishes by pruning, as a ranking of all rows in this process would: evaluates expensive scorers on the most
 * promising rows only. If enough rows were returned, each scorer that SQL does not know is evaluated as often as there.
 *
 * @returns undefined if a row that was not returned may still be among the best
 */
async function finishPruned(
  run: StreamRun,
  prefiltered: Prefiltered,
  budget: Budget | undefined,
): Promise<TopRanking<object> | undefined> {
  const { result } = prefiltered;
  const state = setState(run, decodeChosen(prefiltered), budget);
  const retained = await completePart(run, () => chain(evaluatePart(state), () => finish(state)));
  const best = retained.totals.toSorted((a, b) => b - a)[retainedCount(run.plan) - 1] ?? -Infinity;
  const bar = Math.max(best, run.plan.select.minScore ?? -Infinity);
  if (result.next >= bar && result.next > -Infinity) return undefined;
  for (const [position, row] of result.chosen.entries())
    checkVerdict(run.plan, row, retained.verdicts[position]!, true);
  return rankingOfChosen(run.plan, prefiltered, retained, (ranking) => ({
    facts: prunedFacts(run, result, retained, ranking),
    notSelected: notSelectedOf(result, ranking),
  }));
}

/** Counts the rows with some verdicts that are not among the chosen. */
function outside({ counts, chosen }: PrefilterResult, isOne: (verdict: number) => boolean): number {
  let count = 0;
  for (const [verdict, many] of counts) if (verdict !== UNCERTAIN && isOne(verdict)) count += many;
  return count - chosen.filter(({ verdict }) => verdict !== UNCERTAIN && isOne(verdict)).length;
}

function prunedFacts(
  { plan }: StreamRun,
  result: PrefilterResult,
  { kept }: Evaluation,
  ranking: Ranking<object>,
): Pruned | undefined {
  const ids = plan.secondPhase?.ask ?? [];
  // Includes rows that a scorer or a rule refuses, because scorers were evaluated on them.
  const more = outside(result, (verdict) => verdict === 0 || refuserOf(verdict) >= plan.score.firstRefuser);
  const { exact, entries } = ranking.pruned ?? {
    exact: true,
    entries: ids.map((entry) => ({ entry, evaluated: kept.length, pruned: 0 })),
  };
  const all = entries.map((one) => ({ ...one, pruned: one.pruned + more }));
  return all.some(({ pruned }) => pruned > 0) ? { exact, entries: all } : undefined;
}

/** The rows that are not selected, by reason: chosen rows by the reason of pruning, and rows that were not returned. */
function notSelectedOf(result: PrefilterResult, ranking: Ranking<object>): readonly NotSelectedCount[] {
  const counts = new Map(notSelectedCounts(ranking.notSelected).map(({ reason, count }) => [reason, count]));
  // Rows below `min_score` are the least promising, so they are returned only after all others.
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
