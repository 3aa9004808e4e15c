import type { Context, GroupedScores, Score, Signals } from '../sdk/index.js';
import type { RowFormula } from '../expression/index.js';
import type { ChildUse, STATISTICS } from '../profile/index.js';
import { callUnit, isTask, type MaybeAsync, NEVER, type PendingFor, type Task, withDeadline } from './tasks.js';
import type { RunTrace } from './trace.js';

/** The next memories of units, by slot. */
export type MemoryUpdates = (readonly [slot: number, memory: unknown])[];

/** The input for preparing units. */
export interface PrepareInput {
  readonly candidates: readonly unknown[];
  readonly context: RunContext;
  readonly abort: AbortSignal;
  /** Collects the next memories of units. The engine stores them if the run succeeds. */
  readonly updates: MemoryUpdates;
}

/** Why a unit could not be prepared. A value, not an exception: the entry's rule decides what follows. */
export interface PrepareFailure {
  readonly cause: unknown;
}

/** One use of a class or an expression, compiled once per pipeline. */
export interface CompiledUnit<V> {
  /** Whether it, or an entry inside it, must be prepared for each run. */
  readonly prepares: boolean;
  /** The score function for the current run. */
  readonly score: Score<unknown, V>;
  /** The score function for one run. For a batch unit, the prepared function itself, without a lookup per row. */
  scoreIn(context: RunContext): Score<unknown, V>;
  /** Its computation as an expression, for the text of loops; undefined if it states none. Absent if it must be prepared. */
  readonly formula?: () => RowFormula | undefined;
  /** Prepares the unit and the entries inside it. May return or throw a failure. */
  prepare(input: PrepareInput): MaybeAsync<PrepareFailure | undefined>;
  /** Prepares the unit for many groups at once. Undefined if it must be prepared for each group. */
  readonly prepareGroups?: ((rows: GroupedRows) => GroupedScores) | undefined;
  /** The entries inside it, in the order of its params. */
  readonly children: readonly CompiledChild[];
}

/** The rows of many groups, one group after the other. */
export interface GroupedRows {
  /** By group: the row after its last one. */
  readonly ends: Int32Array;
  /** The numbers of a unit that does not prepare, by row; NaN if `score` returns none or throws. */
  column(unit: CompiledUnit<unknown>, score: Score<unknown>): Float64Array;
}

/** An entry inside another, compiled. */
export interface CompiledChild {
  readonly unit: CompiledUnit<unknown>;
  readonly use: ChildUse;
}

/** The statistics of one group of candidates; NaN is absent. */
export type GroupStatistics = Readonly<Record<(typeof STATISTICS)[number], number>>;

/** One entry of `stats` in a run. */
export interface RunStatistic {
  readonly groups: readonly GroupStatistics[];
  /** By row: its group, or −1. Undefined if all rows are one group. */
  readonly groupOf: Int32Array | undefined;
  /** The number of each group, by its key. */
  readonly keys: ReadonlyMap<unknown, number>;
}

/** The values of one run that compiled units and expressions read. */
export interface RunContext {
  readonly now: number;
  readonly context: Context;
  signals: Signals;
  /** Columns by measure id, by row; NaN is absent. */
  readonly measures: Record<string, Float64Array>;
  /** The statistics over the kept candidates, by name. */
  stats: Readonly<Record<string, RunStatistic>>;
  /** The score functions that batch units prepared in this run, by slot. */
  readonly prepared: (Score<unknown, unknown> | undefined)[];
  /** The resolved scorers of this run by position in the profile, for rules that read a score. */
  scores: readonly (Score<unknown> | undefined)[];
  /** The resolved scores of one row by position in the profile, for formulas. */
  readonly values: (number | undefined)[];
  /** The score so far: the variable `score` of a rule. */
  score: number;
  /** The place of a candidate in its group: the variable `place` of a rule with a group. */
  place: number;
  /** The places of all rows, by the position of the rule; undefined for a rule without a group. */
  places: (Float64Array | undefined)[];
  /** The variables of the `when` of a fallback. */
  counts: {
    readonly generated: number;
    readonly vetoed: number;
    readonly failed: number;
    readonly strategies: readonly string[];
  };
  /** Publishes the run to its subscribers; undefined without subscribers. */
  trace: RunTrace | undefined;
  /** The memories by slot that a part of a stream reads; undefined for those of the pipeline. */
  memories: ReadonlyMap<number, unknown> | undefined;
}

const NO_STATS: RunContext['stats'] = Object.freeze(Object.create(null) as RunContext['stats']);

export const NO_SIGNALS: Signals = Object.freeze(Object.create(null) as Signals);

export const NO_CONTEXT: Context = Object.freeze({});

/**
 * A frozen copy. V8 makes a hidden class for each object that is spread and then frozen, which makes freezing it and reading
 * its fields several times slower. So the fields are assigned, unless one has the name of an inherited property:
 * `__proto__` would set the prototype, and such names cannot be assigned if `Object.prototype` is frozen.
 */
export const copyContext = (given: Context): Context =>
  Object.freeze(hasInheritedName(given) ? { ...given } : Object.assign({}, given));

function hasInheritedName(given: Context): boolean {
  for (const key of Object.keys(given)) if (key in Object.prototype) return true;
  return false;
}

/** The prototype of a record whose keys are ids. V8 is slow with records whose prototype is null. */
const NO_PROPERTIES = Object.freeze(Object.create(null) as object);

/** Placeholder: counted only when a fallback is chosen. */
const NO_COUNTS: RunContext['counts'] = { generated: 0, vetoed: 0, failed: 0, strategies: [] };

/** A new context without computed values. */
export const emptyContext = (
  now = 0,
  context: Context = NO_CONTEXT,
  signals: Signals = NO_SIGNALS,
  trace?: RunTrace,
): RunContext => ({
  now,
  context,
  signals,
  measures: Object.create(NO_PROPERTIES) as Record<string, Float64Array>,
  stats: NO_STATS,
  prepared: [],
  scores: [],
  values: [],
  score: 0,
  place: 1,
  places: [],
  counts: NO_COUNTS,
  trace,
  memories: undefined,
});

/** The context for some rows of a run. Measures are by position in these rows. */
export function contextOfRows(
  { now, context, signals, measures, stats, trace, memories }: RunContext,
  rows: Int32Array,
): RunContext {
  const own = emptyContext(now, context, signals, trace);
  own.memories = memories;
  for (const [id, column] of Object.entries(measures)) {
    own.measures[id] = Float64Array.from(rows, (row) => column[row]!);
  }
  own.stats = Object.fromEntries(
    Object.entries(stats).map(([name, { groupOf, ...shared }]) => [
      name,
      { ...shared, groupOf: groupOf && Int32Array.from(rows, (row) => groupOf[row]!) },
    ]),
  );
  return own;
}

/**
 * The run context that compiled units currently read. Units are compiled once per pipeline, because V8 inlines a function
 * that stays the same. So they do not capture a run's context but read the current one. Only this class changes it. Like
 * `AsyncContext.Variable.run`, each method restores the outer context, so runs can nest. After all runs, the last context
 * stays: a unit's function that is called on its own, as `assize/testing` does, reads it.
 */
export class CurrentRun {
  private current = emptyContext();
  private depth = 0;
  private entered = 0;

  get context(): RunContext {
    return this.current;
  }

  /** The number of the current work. In other work, a candidate may have changed. */
  get work(): number {
    return this.entered;
  }

  /** Does synchronous work in a run's context. */
  enter<R>(context: RunContext, work: () => R): R {
    const outer = this.current;
    this.current = context;
    if (this.depth === 0) this.entered += 1;
    this.depth += 1;
    try {
      return work();
    } finally {
      this.depth -= 1;
      if (this.depth > 0) this.current = outer;
    }
  }

  /** Does work that may wait. Enters the context for each step, because other runs continue during a wait. */
  run<R>(context: RunContext, work: () => MaybeAsync<R>): MaybeAsync<R> {
    const result = this.enter(context, work);
    return isTask(result) ? this.#steps(context, result) : result;
  }

  /**
   * A score function that can be called from outside of its run, as by a unit after an `await`. Inside its run, where most
   * calls happen, it does not enter the context: doing so per candidate costs as much as a scorer.
   */
  bind<V>(context: RunContext, score: Score<unknown, V>): Score<unknown, V> {
    return (candidate, index, note) =>
      this.current === context && this.depth > 0
        ? score(candidate, index, note)
        : this.enter(context, () => score(candidate, index, note));
  }

  *#steps<R>(context: RunContext, task: Task<R>): Task<R> {
    try {
      for (;;) {
        const step = this.enter(context, () => task.next());
        if (step.done) return step.value;
        yield step.value;
      }
    } finally {
      const abandoned: Iterator<unknown, R, void> = task;
      abandoned.return?.(); // no effect if the task has ended
    }
  }
}

/** The entry to prepare. */
interface PreparedEntry {
  readonly id: string;
  readonly timeout: number | undefined;
}

/**
 * Prepares an entry under its timeout.
 *
 * @returns why it could not be prepared, if it failed
 * @throws the reason of an abort
 */
export function prepareEntry(
  entry: PreparedEntry,
  unit: CompiledUnit<unknown>,
  input: PrepareInput,
): MaybeAsync<PrepareFailure | undefined> {
  const { trace } = input.context;
  if (!trace) return prepare(entry, unit, input);
  return trace.prepare(entry.id, input.candidates.length, () => prepare(entry, unit, input));
}

function prepare(
  { timeout }: PreparedEntry,
  unit: CompiledUnit<unknown>,
  input: PrepareInput,
): MaybeAsync<PrepareFailure | undefined> {
  const { candidates, context, abort } = input;
  const own: PrepareInput = { candidates, context, abort, updates: [] }; // not spread: V8 would make a new shape each time
  if (timeout !== undefined) return finishPrepare(input, own, prepareWithDeadline(input, own, timeout, unit));
  try {
    if (abort !== NEVER) abort.throwIfAborted();
    const outcome = unit.prepare(own);
    return isTask(outcome) ? finishPrepare(input, own, outcome) : collectUpdates(input, own, outcome);
  } catch (cause) {
    return asPrepareFailure(input, cause);
  }
}

function* finishPrepare(
  input: PrepareInput,
  own: PrepareInput,
  task: Task<PrepareFailure | undefined>,
): Task<PrepareFailure | undefined> {
  try {
    return collectUpdates(input, own, yield* task);
  } catch (cause) {
    return asPrepareFailure(input, cause);
  }
}

const prepareWithDeadline = (
  { abort }: PrepareInput,
  { candidates, context, updates }: PrepareInput,
  timeout: number,
  unit: CompiledUnit<unknown>,
) =>
  withDeadline(abort, timeout, function* (signal): Task<PrepareFailure | undefined> {
    const outcome = unit.prepare({ candidates, context, abort: signal, updates });
    return isTask(outcome) ? yield* outcome : outcome;
  });

/** Collects the next memories of an entry, unless it failed. */
function collectUpdates(
  { updates }: PrepareInput,
  own: PrepareInput,
  outcome: PrepareFailure | undefined,
): PrepareFailure | undefined {
  if (!outcome && own.updates.length > 0) updates.push(...own.updates);
  return outcome;
}

function asPrepareFailure({ abort }: PrepareInput, cause: unknown): PrepareFailure {
  abort.throwIfAborted();
  return { cause };
}

/** Calls the unit of an entry that concerns the whole run (signal, generator, report), under its timeout and the run's abort. */
export function* callEntry<R>(
  caller: PendingFor,
  { trace }: RunContext,
  abort: AbortSignal,
  timeout: number | undefined,
  call: (abort: AbortSignal) => R | PromiseLike<R>,
): Task<R> {
  const work = (): Task<R> => callUnit(caller, abort, timeout, call);
  const result = trace ? trace.compute(caller.entry, work) : work();
  return isTask(result) ? yield* result : result;
}
