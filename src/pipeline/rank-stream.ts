import type { Columns } from '../data/index.js';
import type { Context } from '../sdk/index.js';
import {
  overridePlan,
  type PlanOverrides,
  startPart,
  fieldsRead,
  ownIdOf,
  Failures,
  type Plan,
  type RunResult,
  evaluatePart,
  finish,
  budgetOf,
  type Budget,
  type CallBudget,
  chain,
  type MaybeAsync,
  NEVER,
} from '../engine/index.js';
import { candidateReads } from '../profile/index.js';
import { SAMPLE_SIZE, type UnseenPaths } from '../ranking/index.js';
import {
  type Aggregates,
  Collector,
  nameAggregates,
  namedPositions,
  type RetainedRow,
  type TopKCollector,
} from './collector.js';
import {
  checkBounded,
  chunksOf,
  chunksOfColumns,
  completePart,
  openStreamRun,
  retainedCount,
  type StreamRun,
  traceRanking,
  yieldToEventLoop,
} from './stream-run.js';
import { topOfStream, type TopRanking } from './top-ranking.js';

/** The options of `rankStream`: weights and limits as for `rank`. A `top`, here or in the profile, is required. */
export interface RankStreamOptions extends PlanOverrides {
  /** As for `rank`. */
  readonly budget?: CallBudget | undefined;
  /** Stops the run: the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Ranks candidates that arrive one by one. Uses memory for the retained rows and one chunk. */
export async function rankStream<T>(
  compiled: Plan,
  source: AsyncIterable<T> | Iterable<T>,
  context: Context,
  { budget: callBudget, signal = NEVER, ...overrides }: RankStreamOptions,
): Promise<TopRanking<T>> {
  const plan = overridePlan(compiled, overrides);
  checkBounded(plan.profile);
  const budget = budgetOf(plan, callBudget);
  return traceRanking(plan, 'rankStream', async () =>
    rankChunks<T>(await openStreamRun(plan, context, signal), chunksOf(source, signal), budget),
  );
}

interface RetainedCandidate<T> extends RetainedRow {
  readonly candidate: T;
}

/** Ranks candidates that arrive in chunks. */
export async function rankChunks<T>(
  run: StreamRun,
  chunks: AsyncIterable<readonly T[]>,
  budget: Budget | undefined,
  notices: readonly string[] = [],
): Promise<TopRanking<T>> {
  const collector = new Collector<RetainedCandidate<T>>(run, retainedCount(run.plan));
  for await (const candidates of chunks) {
    run.abort.throwIfAborted();
    // No spread: the heap compares objects made by spread ten times slower.
    await collector.collect(candidates, ({ total, index, keys }, position) => {
      return { total, index, keys, candidate: candidates[position]! };
    });
  }
  const candidates = collector.topK.retained().map(({ candidate }) => candidate);
  return rankCollected(run, collector, candidates, budget, notices);
}

/** The collected data of a stream. */
interface CollectedStream<R extends RetainedRow> {
  readonly topK: Pick<TopKCollector<R>, 'retained'>;
  readonly aggregates: Aggregates;
  readonly unseen: Pick<UnseenPaths, 'warnings'>;
}

/**
 * Ranks the retained rows of a collector.
 *
 * @param candidates the candidates of the retained rows, in the order of the stream
 */
export async function rankCollected<T, R extends RetainedRow>(
  run: StreamRun,
  { topK, aggregates, unseen }: CollectedStream<R>,
  candidates: readonly T[],
  budget: Budget | undefined,
  notices: readonly string[] = [],
): Promise<TopRanking<T>> {
  const retained = await completePart(run, () => rankRetained(run, candidates, budget));
  const positions = topK.retained().map(({ index }) => index);
  return topOfStream<T>(run.plan, { aggregates, retained, positions, absentPaths: unseen.warnings(), notices });
}

/** Ranks the retained candidates again. Their scores are the same, because no entry depends on other candidates. */
function rankRetained(
  run: StreamRun,
  candidates: readonly unknown[],
  budget: Budget | undefined,
): MaybeAsync<RunResult> {
  const part = startPart(run, candidates, new Failures()); // Discards failures that the stream has already counted.
  part.budget = budget;
  return chain(evaluatePart(part), () => {
    part.failures = run.failures;
    return finish(part);
  });
}

/** Candidates in columnar storage, such as a file. */
export interface ColumnSource {
  /** Reads rows in their order. Default: all rows and all fields. */
  batches(fields?: ReadonlySet<string>, range?: { readonly from: number; readonly to: number }): AsyncIterable<Columns>;
  /** Reads whole rows by position. */
  rows(positions: readonly number[]): Promise<readonly object[]>;
}

/**
 * Ranks candidates in columnar storage. Reads only the columns that the profile uses, and at the end the whole rows
 * that may be selected. Uses memory for one batch of columns and the retained rows.
 */
export async function rankTable(
  run: StreamRun,
  source: ColumnSource,
  budget: Budget | undefined,
  notices: readonly string[] = [],
): Promise<TopRanking<object>> {
  const collector = new Collector<RetainedRow>(run, retainedCount(run.plan));
  for await (const rows of chunksOfTable(run, source)) await collector.collect(rows, (row) => row);
  return rankCollectedRows(run, collector, source, budget, notices);
}

/** Reads chunks of rows of a table or a range of it, with only the columns that the profile uses. */
export async function* chunksOfTable(
  { plan, abort }: Pick<StreamRun, 'plan' | 'abort'>,
  source: ColumnSource,
  range?: { readonly from: number; readonly to: number },
): AsyncGenerator<readonly object[], void> {
  for await (const columns of source.batches(fieldsRead(candidateReads(plan.profile), false), range)) {
    await yieldToEventLoop(abort);
    yield* chunksOfColumns<object>(columns, abort);
  }
}

/** Ranks the collected rows of a table. Reads whole rows: those that may be selected, and examples of refusals. */
export async function rankCollectedRows(
  run: StreamRun,
  { topK, unseen, aggregates: collected }: CollectedStream<RetainedRow> & { readonly unseen: UnseenPaths },
  source: ColumnSource,
  budget: Budget | undefined,
  notices: readonly string[] = [],
): Promise<TopRanking<object>> {
  if (unseen.unseen.length > 0) {
    const first = Math.min(SAMPLE_SIZE, collected.given);
    unseen.replaceSample(await source.rows(Array.from({ length: first }, (_, i) => i)));
  }
  const retained = topK.retained().map(({ index }) => index);
  const named = namedPositions(collected);
  const rows = await rowsByPosition(source, [...retained, ...named]);
  const aggregates = nameAggregates(collected, (at) => ownIdOf(run.plan.profile, rows.get(at)));
  const candidates = retained.map((position) => rows.get(position)!);
  return rankCollected(run, { topK, unseen, aggregates }, candidates, budget, notices);
}

async function rowsByPosition(source: ColumnSource, wanted: readonly number[]): Promise<ReadonlyMap<number, object>> {
  const positions = [...new Set(wanted)].toSorted((a, b) => a - b);
  const rows = await source.rows(positions);
  return new Map(positions.map((position, k) => [position, rows[k]!]));
}
