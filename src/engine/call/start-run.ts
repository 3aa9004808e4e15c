import type { Context, Signals } from '../../sdk/index.js';
import { toAssizeError, describeValue, type Problem, toError } from '../../base/index.js';
import { isMap, isTime, toMillis } from '../../expression/index.js';
import type { ContextField, Profile } from '../../profile/index.js';
import type { Clock } from '../../services/index.js';
import { copyContext, emptyContext, type MemoryUpdates, type RunContext } from '../entries.js';
import { causeOf, type CountedFailure, Failures } from '../failures.js';
import type { ColumnBuffer } from '../kernel/run-buffers.js';
import type { Plan } from '../plan.js';
import { RunState } from '../run-state.js';
import type { CallBudget, CompiledLimit } from '../stages/select/select-plan.js';
import { NEVER } from '../tasks.js';
import type { ScoresOfCandidates } from '../tier-plans.js';
import type { RunTrace } from '../trace.js';
import { overridePlan, type PlanOverrides } from './override-plan.js';

/** The input of a run. */
export interface RunInput {
  /** Undefined if the profile's strategies generate the candidates. */
  readonly candidates: readonly unknown[] | undefined;
  readonly context: Context;
  readonly abort: AbortSignal;
  /** The budget that the caller gave. */
  readonly budget: CallBudget | undefined;
  /** The overrides of the call. */
  readonly overrides: PlanOverrides;
  /** Whether expensive scorers may be evaluated on some rows only. */
  readonly prune: boolean;
  /** Signals that are already known; undefined for an absent one. */
  readonly knownSignals: Signals;
  /** The candidates that the strategies generated, if they are already known. */
  readonly knownCandidates?: readonly unknown[] | undefined;
  /** The failures of these signals and strategies. */
  readonly knownFailures?: readonly CountedFailure[];
}

/**
 * Starts a run: checks its context and reads the clock once.
 *
 * @param updates collects the next memories of units
 * @param trace   publishes the run to its subscribers
 * @throws AssizeError if the context does not match the profile's declaration, and as `runPlan` does
 */
export function startRun(compiled: Plan, input: RunInput, updates: MemoryUpdates, trace?: RunTrace): RunState {
  const { abort, candidates, knownSignals, prune } = input;
  const context = startContext(compiled.profile, input.context, compiled.clock);
  context.trace = trace;
  const plan = runPlan(compiled, context, input.overrides);
  if (abort !== NEVER) abort.throwIfAborted();
  const failures = new Failures();
  if (input.knownFailures) failures.addAll(input.knownFailures);
  return new RunState(plan, {
    context,
    given: candidates ?? input.knownCandidates,
    abort,
    knownSignals,
    callBudget: input.budget,
    secondPhase: prune ? plan.secondPhase : undefined,
    failures,
    updates,
  });
}

/** The run that a part belongs to. */
interface PartOf {
  readonly plan: Plan;
  readonly start: RunContext;
  readonly abort: AbortSignal;
  /** The scores of expensive scorers, for candidates that occur again in a later part. */
  readonly scores?: ScoresOfCandidates | undefined;
}

/**
 * Starts a part of a run whose candidates come in parts. The part has the time, the context and the signals of the whole
 * run. Each part has its own run context, because reasons are created on reading, from the part's measures.
 *
 * @param columns the buffer for its scores until the next part, if all of them will be read
 * @param updates collects the next memories of units
 * @param groupEnds the ends of groups of candidates, if scorers are prepared for each group on its own
 */
export function startPart(
  { plan, start: { now, context, signals, trace }, abort, scores }: PartOf,
  candidates: readonly unknown[],
  failures: Failures,
  columns?: ColumnBuffer,
  updates?: MemoryUpdates,
  groupEnds?: readonly number[],
): RunState {
  const part = new RunState(plan, {
    context: emptyContext(now, context, signals, trace),
    given: candidates,
    abort,
    failures,
    columns,
    streamScores: scores,
    groupEnds,
    ...(updates && { updates }),
  });
  part.setCandidates(candidates);
  return part;
}

/**
 * The context of a run: a checked and frozen copy of the caller's context, and the time of the run. Even an empty context is
 * copied, because units may use the context as a key for data of one run.
 */
function startContext(profile: Profile, given: Context, clock: Clock): RunContext {
  const context = readableCopy(given);
  checkContext(profile, context);
  return emptyContext(nowOf(context, clock), context);
}

/** @throws AssizeError (ASZ104) if the context is not an object, or its fields cannot be read: a getter or a proxy throws */
function readableCopy(given: Context): Context {
  try {
    if (typeof given === 'object' && given !== null && !Array.isArray(given)) return copyContext(given);
  } catch (cause) {
    const message = `the context cannot be read: ${toError(cause).message}`;
    throw toAssizeError([{ code: 'ASZ104', message, hint: 'pass a plain object' }], { cause });
  }
  throw toAssizeError([{ code: 'ASZ104', message: `the context is ${describeValue(given)}; expected an object` }]);
}

/** @throws AssizeError if a field that the profile declares is missing or has another type */
function checkContext(profile: Profile, context: Context): void {
  if (profile.context.size === 0) return;
  const problems = [...profile.context].flatMap(([key, { type, required }]) => {
    const value = Object.hasOwn(context, key) ? context[key] : undefined;
    const absent = value === undefined || value === null;
    if (absent ? !required : type === undefined || TYPE_CHECKS[type](value)) return [];
    const message = `the context's ${key} is ${absent ? 'missing' : describeValue(value)}; expected ${type ?? 'a value'}`;
    return [
      { code: 'ASZ104' as const, message, path: `context.${key}`, hint: `profile ${profile.name} declares this field` },
    ];
  });
  if (problems.length > 0) throw toAssizeError(problems);
}

const TYPE_CHECKS: Readonly<Record<NonNullable<ContextField['type']>, (value: unknown) => boolean>> = {
  int: (value) => Number.isInteger(value),
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  string: (value) => typeof value === 'string',
  bool: (value) => typeof value === 'boolean',
  list: (value) => Array.isArray(value),
  map: isMap,
  time: isTime,
};

function nowOf(context: Context, clock: Clock): number {
  const { now } = context;
  if (now === undefined || now === null) return clock.now();
  try {
    return toMillis(now);
  } catch (error) {
    const message = `the context's now is not a time: ${error instanceof Error ? error.message : String(error)}`;
    throw toAssizeError([{ code: 'ASZ104', message, path: 'context.now' }], { cause: error });
  }
}

/**
 * The plan of one run: with the overrides of the call, and with the value of each limit that is an expression.
 *
 * @throws AssizeError with every override that does not apply to the profile (ASZ534), or every invalid limit (ASZ535)
 */
function runPlan(plan: Plan, context: RunContext, overrides: PlanOverrides): Plan {
  const own = overridePlan(plan, overrides);
  if (own.computedLimits.length === 0) return own;
  const problems: Problem[] = [];
  const values: { -readonly [Key in CompiledLimit['key']]?: number } = {};
  plan.current.enter(context, () => {
    for (const limit of own.computedLimits) {
      const found = limitIn(limit);
      if (typeof found === 'number') values[limit.key] = found;
      else if (found) problems.push(found);
    }
  });
  if (problems.length > 0) throw toAssizeError(problems);
  return overridePlan(own, { top: values.top, minScore: values.min_score, seed: values.seed });
}

const EXPECTED: Readonly<Record<CompiledLimit['key'], string>> = {
  top: 'a whole number of at least 0',
  min_score: 'a finite number',
  seed: 'a whole number of at least 0',
};

const isLimit = (key: CompiledLimit['key'], value: unknown): value is number =>
  key === 'min_score' ? Number.isFinite(value) : Number.isSafeInteger(value) && Number(value) >= 0;

/** The value of a limit in the current run, or its problem; undefined for an absent seed. */
function limitIn({ key, spec, evaluate }: CompiledLimit): number | Problem | undefined {
  const { expression, path, place } = spec;
  const problem = (found: string, hint?: string): Problem => {
    const message = `the ${key} ${expression.source} ${found}; expected ${EXPECTED[key]}`;
    return { code: 'ASZ535', message, path, place, hint };
  };
  try {
    const value = evaluate();
    if (isLimit(key, value)) return value;
    if (value === undefined && key === 'seed') return undefined;
    if (value !== undefined) return problem(`is ${describeValue(value)}`);
    return problem('is absent', 'the context has no value: to set a default, write context.?name.orValue(10)');
  } catch (error) {
    return problem(`failed: ${causeOf(error)}`);
  }
}
