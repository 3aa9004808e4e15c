import type { Child } from './child.js';
import type { Score } from './score.js';

/** What is known about this request (turn, query, history, now …): a shallow, frozen copy of what the caller gave. */
export type Context = Readonly<Record<string, unknown>>;

/** Values computed once a run by the profile's signals, by id. A signal that failed or was not asked is missing. */
export type Signals = Readonly<Record<string, unknown>>;

/** An expression among a unit's params: checked when the profile is loaded, and bound to the run by the engine. */
export interface ExpressionParam {
  readonly source: string;
}

/**
 * What a compiled unit may ask while it scores. Functions, so that nothing stale can be captured: a compiled score
 * lives as long as its pipeline, and each answer is the current run's.
 */
export interface Live {
  /** The run's time, in milliseconds since 1970: the context's `now`, else the clock, read once a run. */
  now(): number;
  context(): Context;
  signals(): Signals;
  /** The score of a child entry, after its `on_absent`. */
  child(child: Child): Score<unknown>;
  /** What an expression param gives for a candidate; undefined is absent. */
  expression(expression: ExpressionParam): Score<unknown, unknown>;
}

/** What every prepared unit is told about the run. */
export interface RunFacts {
  /** The run's time, in milliseconds since 1970. No unit reads a clock. */
  readonly now: number;
  readonly context: Context;
  readonly signals: Signals;
  /** Aborted when the caller stops the run or the entry's `timeout` is over; pass it on to whatever can be stopped. */
  readonly abort: AbortSignal;
  /** What an expression param gives for a candidate, or for any other object; undefined is absent. */
  expression(expression: ExpressionParam): Score<unknown, unknown>;
}

/** What a veto or scorer that needs the batch is given, once a run. */
export interface Run<T = unknown> extends RunFacts {
  /** The candidates that this unit will be asked about: those that nothing before it refused. */
  readonly candidates: readonly T[];
  /** The columns of the measures, by id and by position in `candidates`; NaN is absent. */
  readonly measures: Readonly<Record<string, Float64Array>>;
  /** The score of a child entry, prepared on the same candidates, after its `on_absent`. */
  child(child: Child): Score<unknown>;
}
