import type { Context, Score, Signals } from '../../contract/index.js';
import type { RunTrace } from '../trace/run-trace.js';
import { isTask, type MaybeAsync, type Task } from '../tasks/task.js';

/** What is known during one run: what compiled units and expressions read. */
export interface RunContext {
  readonly now: number;
  readonly context: Context;
  signals: Signals;
  /** Columns by measure id, by row; NaN is absent. */
  readonly measures: Record<string, Float64Array>;
  /** The scores that batch units prepared in this run, by slot. */
  readonly prepared: (Score<unknown, unknown> | undefined)[];
  /** The resolved scorers of this run by their position in the profile, for rules and formulas that read one. */
  scores: readonly (Score<unknown> | undefined)[];
  /** The resolved scores of one row by their position in the profile: what a formula reads. */
  readonly values: (number | undefined)[];
  /** What `score` means in a rule: the score so far. */
  score: number;
  /** What the `when` of a fallback reads. */
  counts: {
    readonly generated: number;
    readonly vetoed: number;
    readonly failed: number;
    readonly strategies: readonly string[];
  };
  /** Publishes the run to its subscribers; undefined where there are none. */
  trace: RunTrace | undefined;
}

/** No signal is known. */
export const NO_SIGNALS: Signals = Object.freeze(Object.create(null) as Signals);

/** Nothing is known of the request. */
export const NO_CONTEXT: Context = Object.freeze({});

/**
 * A frozen copy. V8 makes a hidden class for each object that is spread and then frozen: to freeze it takes several times
 * as long, and so does each read of its fields. So its fields are assigned, unless one has the name of a property that any
 * object inherits: `__proto__` would set the prototype, and none can be assigned where `Object.prototype` is frozen.
 */
export const copyContext = (given: Context): Context =>
  Object.freeze(hasInheritedName(given) ? { ...given } : Object.assign({}, given));

function hasInheritedName(given: Context): boolean {
  for (const key of Object.keys(given)) if (key in Object.prototype) return true;
  return false;
}

/** The prototype of a record whose keys are ids. V8 keeps such a record fast, and one whose prototype is null slow. */
const NO_PROPERTIES = Object.freeze(Object.create(null) as object);

/** Counted only where a fallback is chosen. */
const NO_COUNTS: RunContext['counts'] = { generated: 0, vetoed: 0, failed: 0, strategies: [] };

/** A context in which nothing has been computed yet. */
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
  prepared: [],
  scores: [],
  values: [],
  score: 0,
  counts: NO_COUNTS,
  trace,
});

/** The context of some of a run's rows: measures are by position in these. */
export function contextOfRows({ now, context, signals, measures, trace }: RunContext, rows: Int32Array): RunContext {
  const own = emptyContext(now, context, signals, trace);
  for (const [id, column] of Object.entries(measures)) {
    own.measures[id] = Float64Array.from(rows, (row) => column[row]!);
  }
  return own;
}

/**
 * Which run's context compiled units read just now. Units are compiled once a pipeline, because V8 inlines a function
 * that stays the same; so they do not hold a run's context but read the current one. This is the only place that
 * changes it: like `AsyncContext.Variable.run`, each method restores the context outside, so that runs nest. Outside
 * all runs the last one stays: a unit's function that is called by itself, as by `assize/testing`, reads that.
 */
export class CurrentRun {
  private current = emptyContext();
  private depth = 0;

  get context(): RunContext {
    return this.current;
  }

  /** Does synchronous work in a run's context. */
  enter<R>(context: RunContext, work: () => R): R {
    const outer = this.current;
    this.current = context;
    this.depth += 1;
    try {
      return work();
    } finally {
      this.depth -= 1;
      if (this.depth > 0) this.current = outer;
    }
  }

  /** Does work that may wait: each of its steps is entered, because other runs go on while it waits. */
  run<R>(context: RunContext, work: () => MaybeAsync<R>): MaybeAsync<R> {
    const result = this.enter(context, work);
    return isTask(result) ? this.#steps(context, result) : result;
  }

  /**
   * A score that can be called from outside its run, as by a unit that awaited something. Inside its run, where most
   * calls are, it is called as it is: to enter the run for each candidate costs as much as a scorer.
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
      abandoned.return?.(); // does nothing where the task has ended
    }
  }
}
