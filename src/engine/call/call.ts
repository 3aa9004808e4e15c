import type { RunMessage, TracedCall } from '../../sdk/index.js';
import { toAssizeError, AssizeError, describeValue, isObject, type Problem } from '../../base/index.js';
import { ExpressionStepsError } from '../../expression/index.js';
import type { Profile } from '../../profile/index.js';
import { CandidateNames, checkCandidates, checkDatesOf, idOf, isListOrRevoked } from '../candidates.js';
import { combineColumns, type ScoreColumns, scoringOfColumns, stateBeforeCombine } from '../columns/score-columns.js';
import type { MemoryUpdates } from '../entries.js';
import { causeOf, entryLocation, type Failures, requiresAsync, RunFailed, type SyncCall } from '../failures.js';
import { refuses } from '../kernel/veto-loop.js';
import type { Plan } from '../plan.js';
import type { RunResult, RunState } from '../run-state.js';
import { rerun } from '../run.js';
import { OutOfRange } from '../stages/score/resolve.js';
import { chain, isTask, type MaybeAsync, runSync, type Task } from '../tasks.js';
import { RunTrace, traceTask } from '../trace.js';
import { type ModelOverrides, modelPlan, overridePlan, type PlanOverrides } from './override-plan.js';
import { type RunInput, startRun } from './start-run.js';

/** One call of a pipeline. */
export interface RunCall extends RunInput {
  /** The method that was called, for subscribers of the run. */
  readonly method: TracedCall;
  /** Whether the call updates the profile's memories. */
  readonly updateMemory: boolean;
}

/** The result of a call. */
export interface CallResult<R> {
  readonly result: R;
  /** The plan of the run: the profile's plan with the overrides of the call. */
  readonly plan: Plan;
  /** The memories by slot that the run read. */
  readonly memories: ReadonlyMap<number, unknown>;
  /** Warnings about the files of memories. */
  readonly warnings: readonly Problem[];
}

/**
 * Runs a call: checks the candidates, reads the memories, does the work and, if it succeeds, updates the memories. An abort
 * has an effect until the first memory is replaced; after that, the call succeeds. So an aborted call changes no memory.
 *
 * @param work the work to do with the run: `run`, or a part of it
 * @throws AssizeError that names the entry that failed
 */
export function executeCall<R>(
  plan: Plan,
  call: RunCall,
  work: (run: RunState) => MaybeAsync<R>,
): MaybeAsync<CallResult<R>> {
  const trace = traceOf(plan);
  if (!trace) return execute(plan, call, work);
  const message: RunMessage = { profile: plan.profile.name, call: call.method };
  const counted = (run: RunState): MaybeAsync<R> =>
    chain(work(run), (result) => {
      noteCounts(message, run);
      return result;
    });
  return traceTask(plan.tracer, 'run', message, () => execute(plan, call, counted, trace));
}

function execute<R>(
  plan: Plan,
  call: RunCall,
  work: (run: RunState) => MaybeAsync<R>,
  trace?: RunTrace,
): MaybeAsync<CallResult<R>> {
  try {
    checkInput(plan, call.candidates);
    const pending = attempt(plan, call, work, trace);
    return isTask(pending) ? withRunErrors(plan, call, pending) : pending;
  } catch (error) {
    throw wrapRunError(plan, call, error);
  }
}

/**
 * Runs a call once. If another run has changed a memory file in between, runs it again while the files are locked, so that
 * the second run always succeeds. It does not compute signals and strategies again.
 */
function attempt<R>(
  plan: Plan,
  call: RunCall,
  work: (run: RunState) => MaybeAsync<R>,
  trace?: RunTrace,
): MaybeAsync<CallResult<R>> {
  const { store } = plan.units.memories;
  return chain(store.refresh(call.updateMemory), () => {
    const updates: MemoryUpdates = [];
    const memories = store.snapshot;
    const run = startRun(plan, call, updates, trace);
    return chain(work(run), (result): MaybeAsync<CallResult<R>> => {
      const done = (): CallResult<R> => ({ result, plan: run.plan, memories, warnings: store.takeWarnings() });
      if (!call.updateMemory || updates.length === 0) return done();
      call.abort.throwIfAborted(); // an aborted run updates nothing
      return chain(store.update(updates, call.abort), (updated) =>
        updated ? done() : attempt(plan, knowing(call, run), work, trace),
      );
    });
  });
}

/** A call with the signals and the generated candidates of its run. */
function knowing(call: RunCall, { plan, context, candidates, failures }: RunState): RunCall {
  const early = failures.entries.filter(({ failure: { stage } }) => stage === 'signals' || stage === 'generate');
  return {
    ...call,
    knownSignals: Object.fromEntries(plan.signals.map(({ id }) => [id, context.signals[id]])),
    knownCandidates: call.candidates ? undefined : candidates,
    knownFailures: early,
  };
}

function* withRunErrors<R>(plan: Plan, call: RunCall, task: Task<R>): Task<R> {
  const { store } = plan.units.memories;
  const release = function* (): Task<void> {
    const released = store.release();
    if (isTask(released)) yield* released;
  };
  try {
    const result = yield* task;
    yield* release();
    return result;
  } catch (error) {
    yield* release();
    throw wrapRunError(plan, call, error);
  }
}

/** @throws AssizeError (ASZ502) if the candidates are the cause: `Array.isArray` throws for a proxy that was revoked */
function wrapRunError({ profile }: Plan, { candidates }: RunCall, error: unknown): unknown {
  if (error instanceof RunFailed) return toRunError(profile, error, candidates);
  if (error instanceof TypeError && isListOrRevoked(candidates)) checkCandidates(candidates ?? []);
  return error;
}

/** Checks that the candidates are a list of objects. `undefined` must not count as an empty list. */
function checkInput({ strategies, profile, fusedPass, signals }: Plan, candidates: unknown): void {
  if (isListOrRevoked(candidates) && Array.isArray(candidates)) {
    checkDatesOf(profile, candidates);
    if (!fusedPass || signals.length > 0) return checkCandidates(candidates);
    return; // The fused loop checks each candidate; a separate pass would cost as much as a scorer.
  }
  if (candidates === undefined && strategies.length > 0) return;
  const message =
    candidates === undefined
      ? `no candidates were given, and profile ${profile.name} has no strategies to make any`
      : `the candidates are ${describeValue(candidates)}; expected a list of objects`;
  throw toAssizeError([{ code: 'ASZ502', message, hint: candidatesHint(candidates) }]);
}

/** How to pass candidates that are not in a list. */
function candidatesHint(candidates: unknown): string | undefined {
  if (candidates === undefined) return 'pass candidates: a list of objects';
  if (typeof candidates === 'string') return 'rankFile(profile, file) ranks a file';
  if (!isObject(candidates)) return undefined;
  try {
    if (candidates instanceof Promise) return 'await it';
    if (Symbol.iterator in candidates) return 'collect them: [...candidates], or call rankStream';
    return Symbol.asyncIterator in candidates ? 'rankStream reads them' : undefined;
  } catch {
    return undefined; // a proxy that cannot be read
  }
}

/**
 * Ranks the rows of a run again with other weights and limits: runs combine, adjust, select and report on its columns, with
 * the run's own arithmetic. It calls no scorer and prepares nothing. The result equals, to the bit, a new ranking with a
 * profile that has these weights. O(rows × scorers).
 *
 * @throws AssizeError if the run did not evaluate every scorer on every row, if an override does not apply to the profile
 *   (ASZ534), or if a selector or a report waits (ASZ516)
 */
export function reweigh(
  plan: Plan,
  result: RunResult,
  columns: ScoreColumns,
  overrides: PlanOverrides,
): { readonly plan: Plan; readonly result: RunResult } {
  const { pruned } = result.scored;
  if (pruned) {
    const message = `profile ${plan.profile.name} was ranked without evaluating every scorer on every candidate`;
    const hint =
      pruned.plan.how === 'prune'
        ? 'rank with { prune: false }, then reweigh that ranking'
        : 'reweigh a ranking of the profile without its rerank';
    throw toAssizeError([{ code: 'ASZ534', message, hint }]);
  }
  return combineAgain(overridePlan(plan, overrides), result, columns);
}

/**
 * Ranks the rows of a run again with the weights and curves of a model, including rules, cases and absent scores. It calls
 * no scorer. O(rows × scorers).
 */
export function reweighByModel(
  plan: Plan,
  result: RunResult,
  columns: ScoreColumns,
  model: ModelOverrides,
): { readonly plan: Plan; readonly result: RunResult } {
  const { active } = result.scored.scoring;
  const scorers = columns.scorers.map((column, k) => {
    const rescored = model.scores?.get(active[k]!.entry.id)?.(column.resolved, result.rows);
    return rescored ? { ...column, resolved: rescored } : column;
  });
  return combineAgain(modelPlan(plan, model), result, { ...columns, scorers });
}

function combineAgain(
  other: Plan,
  result: RunResult,
  columns: ScoreColumns,
): { readonly plan: Plan; readonly result: RunResult } {
  const state = stateBeforeCombine(other, result);
  try {
    const again = rerun(state, () => {
      const scoring = scoringOfColumns(other, result, columns);
      state.context.scores = scoring.scores;
      combineColumns(state, scoring, columns);
    });
    return { plan: other, result: runSync(again, (pending) => requiresAsync(other.profile, REWEIGH, pending)) };
  } catch (error) {
    throw error instanceof RunFailed ? toRunError(other.profile, error, result.candidates) : error;
  }
}

const REWEIGH: SyncCall = { call: 'reweigh', instead: 'whatIf' };

/** The trace of a new run; undefined without subscribers. */
export const traceOf = ({ tracer, profile }: Plan): RunTrace | undefined =>
  tracer.isFollowed() ? new RunTrace(tracer, profile.name) : undefined;

/** Writes the counts of a successful run into its message. */
function noteCounts(message: RunMessage, { candidates, verdicts, scored, failures }: RunState): void {
  message.candidates = candidates.length;
  message.refused = refusedIn(verdicts);
  message.pruned = scored.pruned?.count ?? 0;
  message.degraded = degradedIn(failures);
}

/** The number of refused candidates. */
export const refusedIn = (verdicts: Uint16Array): number =>
  verdicts.reduce((n, verdict) => n + Number(refuses(verdict)), 0);

/** The failures so far, in the form of a message. */
export const degradedIn = (failures: Failures): NonNullable<RunMessage['degraded']> =>
  failures.list().map(({ entry, stage, count }) => ({ entry, stage, count }));

/**
 * The error for the user when a run fails. It names the entry with its place, the candidate and the cause.
 *
 * @param candidates the candidates of the run, or of the part of a stream that failed
 * @param offset     the number of candidates before that part
 */
export function toRunError(
  profile: Profile,
  { entry, stage, failure: cause, index }: RunFailed,
  candidates: readonly unknown[] | undefined,
  offset = 0,
): AssizeError {
  // A problem that a unit found in the context already has a path.
  const placed = cause instanceof AssizeError && cause.problems.every(({ path }) => path !== undefined);
  if (placed) return toAssizeError(cause.problems, { cause });
  const about = index === undefined || !candidates?.[index] ? '' : ` on ${nameIn(profile, candidates, index, offset)}`;
  if (cause instanceof ExpressionStepsError) {
    const { expression, steps } = cause;
    const message = `the ${stage} entry ${entry} failed${about}: its expression exceeds the limit of ${steps} steps: ${excerptOf(expression.source)}`;
    const place = expression.place ?? entryLocation(profile, stage, entry)?.place;
    return toAssizeError([{ code: 'ASZ403', message, place, hint: STEPS_HINT }], { cause });
  }
  const message = `the ${stage} entry ${entry} failed${about}: ${causeOf(cause)}`;
  return toAssizeError(
    [{ code: 'ASZ501', message, place: entryLocation(profile, stage, entry)?.place, hint: hintFor(stage, cause) }],
    { cause },
  );
}

/** The name of a candidate of a part, with its position if several candidates of the part share its id. */
function nameIn(profile: Profile, candidates: readonly unknown[], position: number, offset: number): string {
  const index = offset + position;
  return new CandidateNames(profile, candidates).nameOf({ id: idOf(profile, candidates[position], index), index });
}

const STEPS_HINT =
  'nested macros take a step for each pair of elements, and texts take one for 16 characters: simplify the expression, or raise expression_steps at the root of the profile';

const excerptOf = (source: string): string => (source.length > 80 ? `${source.slice(0, 80)}…` : source);

function hintFor(stage: string, cause: unknown): string | undefined {
  if (cause instanceof OutOfRange)
    return 'out_of_range: clamp limits the score, out_of_range: warn only adds a warning';
  const hasRule = ['signals', 'veto', 'measure', 'score'].includes(stage) && !causeOf(cause).startsWith('its weight');
  return hasRule ? 'to continue the run, set its on_error' : undefined;
}
