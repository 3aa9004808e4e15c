import type { RunMessage, TracedCall } from '../../contract/index.js';
import { AssizeError, describeValue, toAssizeError } from '../../diagnostics/index.js';
import { ExpressionStepsError } from '../../expression/index.js';
import type { Profile } from '../../profile/index.js';
import { CandidateNames, checkCandidates, checkDatesOf, idOf } from '../candidates.js';
import { combineColumns, type ScoreColumns, scoringOfColumns, stateBeforeCombine } from '../columns/score-columns.js';
import type { MemoryUpdates } from '../entries.js';
import { causeOf, entryLocation, type Failures, requiresAsync, RunFailed, type SyncCall } from '../failures.js';
import { refuses } from '../kernel/veto-loop.js';
import type { Plan } from '../plan.js';
import type { RunResult, RunState } from '../run-state.js';
import { rerun } from '../run.js';
import { OutOfRange } from '../stages/score/resolve.js';
import { chain, isTask, type MaybeAsync, runAsync, runSync, type Task, untilAborted } from '../tasks.js';
import { RunTrace, traceTask } from '../trace.js';
import { type ModelOverrides, modelPlan, overridePlan, type PlanOverrides } from './override-plan.js';
import { type RunInput, startRun } from './start-run.js';

/** One call of a pipeline. */
export interface RunCall extends RunInput {
  /** The method that was called, for those who follow the run. */
  readonly method: TracedCall;
  /** Whether the profile's memories are updated by it. */
  readonly learn: boolean;
}

/** The result of a call. */
export interface CallResult<R> {
  readonly result: R;
  /** The plan of the run: the profile's, with the overrides of the call. */
  readonly plan: Plan;
  /** The memories by slot, as the run saw them. */
  readonly memories: ReadonlyMap<number, unknown>;
}

/**
 * Runs a call: checks the candidates, reads the memories, does the work, and updates the memories where it succeeded.
 * An abort stops it until the first memory is replaced; from then on the call succeeds. So after an abort no memory has
 * changed, and none will.
 *
 * @param work what is done with the run: `run`, or a part of it
 * @throws AssizeError naming the entry that failed
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
  const { store } = plan.units.memories;
  try {
    checkInput(plan, call.candidates);
    const pending = chain(store.refresh(call.learn), () => {
      const updates: MemoryUpdates = [];
      const memories = store.snapshot;
      const run = startRun(plan, call, updates, trace);
      return chain(work(run), (result): MaybeAsync<CallResult<R>> => {
        const done: CallResult<R> = { result, plan: run.plan, memories };
        if (!call.learn || updates.length === 0) return done;
        call.abort.throwIfAborted(); // an aborted run updates nothing
        return chain(store.update(updates, call.abort), () => done);
      });
    });
    return isTask(pending) ? withRunErrors(plan, call, pending) : pending;
  } catch (error) {
    throw wrapRunError(plan, call, error);
  }
}

function* withRunErrors<R>(plan: Plan, call: RunCall, task: Task<R>): Task<R> {
  try {
    return yield* task;
  } catch (error) {
    throw wrapRunError(plan, call, error);
  }
}

const wrapRunError = ({ profile }: Plan, { candidates }: RunCall, error: unknown): unknown =>
  error instanceof RunFailed ? toRunError(profile, error, candidates) : error;

/** The candidates are a list of objects. An `undefined` from upstream must not look like an empty list. */
function checkInput({ strategies, profile, fusedPass, signals }: Plan, candidates: unknown): void {
  if (Array.isArray(candidates)) {
    checkDatesOf(profile, candidates);
    if (!fusedPass || signals.length > 0) return checkCandidates(candidates);
    return; // The fused loop checks each candidate: a pass of its own would cost as much as a scorer.
  }
  if (candidates === undefined && strategies.length > 0) return;
  const message =
    candidates === undefined
      ? `no candidates were given, and profile ${profile.name} has no strategies to make any`
      : `the candidates are ${describeValue(candidates)}; expected a list of objects`;
  throw toAssizeError([{ code: 'ASZ502', message }]);
}

/**
 * Ranks the rows of a run again with other weights and limits: combine, adjust, select and report from its columns, by
 * the run's own arithmetic. No scorer is called and nothing is prepared. The same, to the bit, as ranking anew with a
 * profile that has these weights. O(rows × scorers).
 *
 * @throws AssizeError where the run left rows out before every scorer had seen them; where the profile has no use for an
 *   override (ASZ534); and where a selector or a report has to wait (ASZ516)
 */
export function reweigh(
  plan: Plan,
  result: RunResult,
  columns: ScoreColumns,
  overrides: PlanOverrides,
): { readonly plan: Plan; readonly result: RunResult } {
  const { pruned } = result.scored;
  if (pruned) {
    const message = `profile ${plan.profile.name} was ranked without asking every scorer about every candidate`;
    const hint =
      pruned.plan.how === 'prune'
        ? 'rank with { prune: false }, and weigh that ranking again'
        : 'weigh a ranking by the profile without its rerank';
    throw toAssizeError([{ code: 'ASZ534', message, hint }]);
  }
  return combineAgain(overridePlan(plan, overrides), result, columns);
}

/**
 * Ranks the rows of a run again as a profile with the weights and the curves of a model does: rules, cases and absent scores
 * included. No scorer is called. O(rows × scorers).
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

/** The trace of a run that begins; undefined where runs have no subscriber. */
export const traceOf = ({ tracer, profile }: Plan): RunTrace | undefined =>
  tracer.isFollowed() ? new RunTrace(tracer, profile.name) : undefined;

/** Writes the counts of a run that has succeeded into its message. */
function noteCounts(message: RunMessage, { candidates, verdicts, scored, failures }: RunState): void {
  message.candidates = candidates.length;
  message.refused = refusedIn(verdicts);
  message.pruned = scored.pruned?.count ?? 0;
  message.degraded = degradedIn(failures);
}

/** How many candidates are refused. */
export const refusedIn = (verdicts: Uint16Array): number =>
  verdicts.reduce((n, verdict) => n + Number(refuses(verdict)), 0);

/** The failures so far, as a message has them. */
export const degradedIn = (failures: Failures): NonNullable<RunMessage['degraded']> =>
  failures.list().map(({ entry, stage, count }) => ({ entry, stage, count }));

/**
 * The error that a user gets for a failed run: it names the entry with its place, the candidate, and the cause.
 *
 * @param candidates those of the run, or of the part of a stream that failed
 * @param offset     how many came before that part
 */
export function toRunError(
  profile: Profile,
  { entry, stage, failure: cause, index }: RunFailed,
  candidates: readonly unknown[] | undefined,
  offset = 0,
): AssizeError {
  // A problem that a unit found in the context has a place of its own.
  const placed = cause instanceof AssizeError && cause.problems.every(({ path }) => path !== undefined);
  if (placed) return toAssizeError(cause.problems, { cause });
  const about = index === undefined || !candidates?.[index] ? '' : ` on ${nameIn(profile, candidates, index, offset)}`;
  if (cause instanceof ExpressionStepsError) {
    const { expression, steps } = cause;
    const message = `the ${stage} entry ${entry} failed${about}: its expression takes more than ${steps} steps: ${excerptOf(expression.source)}`;
    const place = expression.place ?? entryLocation(profile, stage, entry)?.place;
    return toAssizeError([{ code: 'ASZ403', message, place, hint: STEPS_HINT }], { cause });
  }
  const message = `the ${stage} entry ${entry} failed${about}: ${causeOf(cause)}`;
  return toAssizeError(
    [{ code: 'ASZ501', message, place: entryLocation(profile, stage, entry)?.place, hint: hintFor(stage, cause) }],
    { cause },
  );
}

/** The name of a candidate of a part: with its position where several of the part have its id. */
function nameIn(profile: Profile, candidates: readonly unknown[], position: number, offset: number): string {
  const index = offset + position;
  return new CandidateNames(profile, candidates).nameOf({ id: idOf(profile, candidates[position], index), index });
}

const STEPS_HINT =
  'a macro inside another takes a step for each pair of elements, and a text one for 16 characters: take out what you can, or allow more with expression_steps at the root of the profile';

const excerptOf = (source: string): string => (source.length > 80 ? `${source.slice(0, 80)}…` : source);

/** What can be done about it. */
function hintFor(stage: string, cause: unknown): string | undefined {
  if (cause instanceof OutOfRange) return 'out_of_range: clamp bounds it, warn only says so';
  const hasRule = ['signals', 'veto', 'measure', 'score'].includes(stage) && !causeOf(cause).startsWith('its weight');
  return hasRule ? 'its on_error says what else should happen' : undefined;
}

/** Runs that share a memory queue, so that each begins with the memory that the one before it left. */
export class RunQueue {
  /** The last run that had to wait; undefined when it has ended. */
  #last: Promise<unknown> | undefined;
  /** Whether a run is being started: one that is enqueued from inside it comes after it. */
  #beginning = false;

  /** Whether a run is under way, or waits for its turn. */
  get isBusy(): boolean {
    return this.#beginning || this.#last !== undefined;
  }

  /** Fulfilled when no run is under way and none waits. */
  async idle(): Promise<void> {
    // oxlint-disable-next-line no-await-in-loop -- others may have come meanwhile
    while (this.#last) await this.#last;
  }

  /**
   * Runs after all that were enqueued before. An abort rejects without waiting for the turn. Once a run has begun, it
   * stops itself: its caller gets its own outcome.
   */
  enqueue<R>(run: () => MaybeAsync<R>, abort: AbortSignal): R | Promise<R> {
    if (this.#beginning) return Promise.resolve().then(() => this.enqueue(run, abort));
    if (this.#last) return this.#after(this.#last, run, abort);
    const result = this.#begin(run);
    return isTask(result) ? this.#follow(runAsync(result)) : result;
  }

  #after<R>(before: Promise<unknown>, run: () => MaybeAsync<R>, abort: AbortSignal): Promise<R> {
    let over: Promise<unknown> | undefined = before;
    const turn = untilAborted(before, abort).then(() => {
      over = undefined;
      return runAsync(this.#begin(run));
    });
    return this.#follow(turn, () => over);
  }

  #begin<R>(run: () => MaybeAsync<R>): MaybeAsync<R> {
    this.#beginning = true;
    try {
      return run();
    } finally {
      this.#beginning = false;
    }
  }

  /**
   * The next run waits for this one.
   *
   * @param before the run that it has not awaited, where it was aborted before its turn
   */
  #follow<R>(run: Promise<R>, before: () => Promise<unknown> | undefined = () => undefined): Promise<R> {
    const over = (): void => {
      if (this.#last === last) this.#last = undefined;
    };
    const last: Promise<void> = run.then(over, () => before()?.then(over) ?? over());
    this.#last = last;
    return run;
  }
}
