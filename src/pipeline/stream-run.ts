import { type Columns, columnsOf, rowsOf } from '../data/index.js';
import type { RunMessage, TracedCall, Context } from '../sdk/index.js';
import { toAssizeError, describeValue, type Problem } from '../base/index.js';
import {
  degradedIn,
  toRunError,
  traceOf,
  startPart,
  startRun,
  checkCandidates,
  checkDatesOf,
  NO_SIGNALS,
  type RunContext,
  type Degraded,
  Failures,
  RunFailed,
  type Plan,
  type Evaluation,
  begin,
  evaluatePart,
  isTask,
  type MaybeAsync,
  runAsync,
  untilAborted,
  type ScoresOfCandidates,
} from '../engine/index.js';
import { entriesNeedingAll, hasMemory, type Profile } from '../profile/index.js';
import { traced } from '../services/index.js';
import type { TopCounts } from '../ranking/index.js';

/** One run over candidates that arrive in chunks, with the same time, context and signals for all. */
export interface StreamRun {
  /** The plan with computed limits. */
  readonly plan: Plan;
  readonly start: RunContext;
  readonly abort: AbortSignal;
  readonly failures: Failures;
  /** The scores of expensive scorers, because retained candidates are ranked a second time. */
  readonly scores?: ScoresOfCandidates | undefined;
}

/** Evaluates chunks in another way. */
interface ChunkEvaluator {
  evaluate(run: StreamRun, candidates: readonly unknown[], offset: number): Promise<Evaluation>;
}

/** Opens a run: checks the context, and computes the limits and the signals. */
export async function openStreamRun(
  compiled: Plan,
  context: Context,
  abort: AbortSignal,
  failures = new Failures(),
): Promise<StreamRun> {
  const nothing = { candidates: undefined, budget: undefined, overrides: {}, prune: false, knownSignals: NO_SIGNALS };
  const first = startRun(compiled, { ...nothing, context, abort }, [], traceOf(compiled));
  first.failures = failures;
  const run = { plan: first.plan, start: first.context, abort, failures, scores: new WeakMap() };
  await completePart(run, () => begin(first));
  return run;
}

/**
 * Evaluates a chunk.
 *
 * @param offset   the number of candidates before the chunk
 * @param memories evaluates the chunk, if units have memories
 * @throws AssizeError that names a candidate by its position in the stream
 */
export function evaluateChunk(
  run: StreamRun,
  candidates: readonly unknown[],
  offset: number,
  memories?: ChunkEvaluator,
): Promise<Evaluation> {
  checkCandidates(candidates, offset);
  checkDatesOf(run.plan.profile, candidates);
  if (memories) return memories.evaluate(run, candidates, offset);
  return completePart(run, () => evaluatePart(startPart(run, candidates, run.failures)), candidates, offset);
}

/** Runs a part of the work. Converts a failure to an AssizeError with the position of its candidate in the stream. */
export async function completePart<R>(
  { plan }: StreamRun,
  work: () => MaybeAsync<R>,
  candidates: readonly unknown[] = [],
  offset = 0,
): Promise<R> {
  try {
    const pending = work();
    return isTask(pending) ? await runAsync(pending) : pending;
  } catch (error) {
    throw error instanceof RunFailed ? toRunError(plan.profile, error, candidates, offset) : error;
  }
}

/** The reasons that a profile cannot rank a stream in bounded memory, each with its place. */
export function unboundedProblems(profile: Profile): readonly Problem[] {
  const { select, fallback, reports, adjustments } = profile;
  const problem = (reason: string, path: string, hint?: string, place?: Problem['place']): Problem => {
    return { code: 'ASZ518', message: `profile ${profile.name} cannot rank a stream: ${reason}`, path, place, hint };
  };
  const all = 'collect the candidates and call rank';
  const problems = entriesNeedingAll(profile).map(({ id, path, place, use }) =>
    problem(
      `${id} ${hasMemory(use) ? 'has a memory of earlier candidates' : 'needs all candidates at once'}`,
      path,
      all,
      place,
    ),
  );
  if (select.duplicates) {
    problems.push(problem('removing duplicates needs every score', 'select.duplicates', all));
  }
  if (select.per) {
    problems.push(problem('limiting groups needs every score', 'select.per', all));
  }
  for (const key of ['keepTogether', 'requires'] as const) {
    if (!select.pack?.[key]) continue;
    const path = `select.pack.${key === 'requires' ? key : 'keep_together'}`;
    problems.push(problem('a candidate may belong to one that is not retained', path, all, select.pack.place));
  }
  if (select.diversify) {
    const reason = 'diversifying needs every candidate';
    problems.push(problem(reason, 'select.diversify', all, select.diversify.place));
  }
  for (const { id, group } of adjustments)
    if (group) problems.push(problem(`the rule ${id} compares the candidates of a group`, 'adjustments', all));
  if (select.seed !== undefined)
    problems.push(problem('a seed gives a random number to each position of the whole input', 'select.seed', all));
  if (fallback.length > 0) problems.push(problem('a fallback may select any candidate', 'fallback', all));
  if (reports.length > 0) problems.push(problem('a report needs the whole ranking', 'report', all));
  if (select.top === undefined) {
    const hint = 'limit it with select: { top: 100 }, or in the call with { top: 100 }';
    problems.push(problem('it selects every scored candidate', 'select', hint));
  }
  return problems;
}

/** @throws AssizeError (ASZ518) if a profile cannot rank a stream in bounded memory */
export function checkBounded(profile: Profile): void {
  const problems = unboundedProblems(profile);
  if (problems.length > 0) throw toAssizeError(problems);
}

/** The number of best rows of a stream to retain, including those of earlier pages. */
export const retainedCount = ({ select: { top = Infinity, offset } }: Pick<Plan, 'select'>): number => offset + top;

/** The number of candidates to evaluate together: large enough to make the fixed cost per chunk negligible. */
export const CHUNK_SIZE = 1024;

/**
 * Yields to the event loop once, so that timers, I/O, other requests and an abort can run.
 *
 * @throws the reason of the abort
 */
export async function yieldToEventLoop(abort: AbortSignal): Promise<void> {
  await new Promise<void>(onNextTurn);
  abort.throwIfAborted();
}

/**
 * Groups candidates into chunks. Yields to the event loop between chunks, so that a fast source does not block aborts
 * and other requests.
 *
 * @throws AssizeError (ASZ502) if the source is not iterable
 */
export function chunksOf<T>(source: AsyncIterable<T> | Iterable<T>, abort: AbortSignal): AsyncGenerator<readonly T[]> {
  const given: unknown = source;
  if (typeof given !== 'object' || given === null) throw notIterableError(given);
  if (Symbol.asyncIterator in source) return chunksOfAsyncIterable(source, abort);
  const columns = Array.isArray(source) ? columnsOf(source) : undefined;
  if (columns) return chunksOfColumns<T>(columns, abort);
  if (Symbol.iterator in source) return chunksOfIterable(source, abort);
  throw notIterableError(given);
}

function notIterableError(given: unknown): Error {
  const message = `the candidates are ${describeValue(given)}; expected a list, or an iterable, of objects`;
  return toAssizeError([{ code: 'ASZ502', message }]);
}

async function* chunksOfIterable<T>(source: Iterable<T>, abort: AbortSignal): AsyncGenerator<T[]> {
  let chunk: T[] = [];
  for (const item of source) {
    chunk.push(item);
    if (chunk.length < CHUNK_SIZE) continue;
    yield chunk;
    await yieldToEventLoop(abort);
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

/** Larger than `CHUNK_SIZE`, because rows of columns do not use their own memory. */
const COLUMNS_CHUNK_SIZE = 8192;

/** Splits columns into chunks of rows. */
export async function* chunksOfColumns<T>(columns: Columns, abort: AbortSignal): AsyncGenerator<readonly T[]> {
  for (let from = 0; from < columns.length; from += COLUMNS_CHUNK_SIZE) {
    if (from > 0) await yieldToEventLoop(abort);
    yield rowsOf(columns.slice(from, from + COLUMNS_CHUNK_SIZE)) as readonly T[];
  }
}

/** Ends a chunk early if the next candidate is not available yet, so that a slow source gets its scores without delay. */
async function* chunksOfAsyncIterable<T>(source: AsyncIterable<T>, abort: AbortSignal): AsyncGenerator<T[]> {
  const iterator = source[Symbol.asyncIterator]();
  let next: Promise<IteratorResult<T, unknown>> | undefined;
  let done = false;
  try {
    while (!done) {
      const chunk: T[] = [];
      next ??= iterator.next();
      let step: IteratorResult<T, unknown> | undefined = await untilAborted(next, abort);
      next = undefined;
      const idle = new Promise<undefined>((resolve) => onNextTurn(() => resolve(undefined)));
      while (step !== undefined && !step.done) {
        chunk.push(step.value);
        if (chunk.length === CHUNK_SIZE) {
          await idle; // Yields to the event loop: a source that is always ready would block it.
          abort.throwIfAborted();
          break;
        }
        next = iterator.next();
        next.catch(() => {}); // The next await throws it, after the candidates before it were yielded.
        step = await Promise.race([next, idle]).catch(() => undefined);
        if (step !== undefined) next = undefined;
      }
      done = step?.done ?? false;
      if (chunk.length > 0) yield chunk;
    }
  } finally {
    // Not awaited: a generator returns only after its pending next has resolved.
    if (!done) void Promise.resolve(iterator.return?.()).catch(() => {});
  }
}

/**
 * Calls back in the next turn of the event loop. Pages have no `setImmediate`, and their timers wait four milliseconds,
 * so a message channel is used instead.
 */
const onNextTurn: (callback: () => void) => void =
  typeof setImmediate === 'function'
    ? (callback) => void setImmediate(callback)
    : (callback) => {
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener('message', () => {
          port1.close();
          callback();
        });
        port1.start();
        port2.postMessage(undefined);
      };

/** Ranks a stream as a traced run. */
export async function traceRanking<R extends { readonly counts: TopCounts; readonly degraded: readonly Degraded[] }>(
  { tracer, profile }: Plan,
  call: TracedCall,
  rank: () => Promise<R>,
): Promise<R> {
  const message: RunMessage = { profile: profile.name, call };
  return traced(tracer, 'run', message, rank, ({ counts, degraded }) => {
    message.candidates = counts.given;
    message.refused = counts.refused;
    message.pruned = 0;
    message.degraded = degraded.map(({ entry, stage, count }) => ({ entry, stage, count }));
  });
}

/** The counts of a stream so far. */
export interface StreamCounts {
  candidates: number;
  /** Undefined if it is not known. */
  refused: number | undefined;
  readonly failures: Failures;
}

/** Reads rows as a traced run, which begins with the first read and ends with the last. */
export const traceRows = <R>(
  plan: Plan,
  call: TracedCall,
  rows: AsyncGenerator<R, void>,
  counts: StreamCounts,
): AsyncGenerator<R, void> => (plan.tracer.isFollowed('run') ? followRows(plan, call, rows, counts) : rows);

async function* followRows<R>(
  { tracer, profile }: Plan,
  call: TracedCall,
  rows: AsyncGenerator<R, void>,
  counts: StreamCounts,
): AsyncGenerator<R, void> {
  const message: RunMessage = { profile: profile.name, call };
  const piece = tracer.begin('run', message, (work) => {
    work.wait();
    return work;
  });
  let failure: { readonly error: unknown } | undefined;
  try {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- one row after another
      const step = await piece.within(() => rows.next());
      if (step.done) return;
      yield step.value;
    }
  } catch (error) {
    failure = { error };
    throw error;
  } finally {
    await piece.within(() => rows.return());
    const { candidates, refused, failures } = counts;
    Object.assign(message, { candidates, refused, pruned: 0, degraded: degradedIn(failures) });
    piece.end(failure);
  }
}
