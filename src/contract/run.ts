import type { Child } from './child.js';
import type { Score } from './score.js';

/** The data of a call besides its candidates (turn, query, history, `now` …): a shallow, frozen copy of the caller's. */
export type Context = Readonly<Record<string, unknown>>;

/** The values of the profile's signals, by id, computed once a run. One that failed or did not run is missing. */
export type Signals = Readonly<Record<string, unknown>>;

/** An expression among a unit's params, checked when the profile is loaded. `expression` of a run evaluates it. */
export interface ExpressionParam {
  readonly source: string;
}

/**
 * Reads of the current run, for a compiled score. They are functions because a compiled score lives as long as its
 * pipeline: a captured value would be that of an earlier run.
 */
export interface Live {
  /** The time of the run, in milliseconds since 1970: the context's `now`, else the clock, read once a run. */
  now(): number;
  context(): Context;
  signals(): Signals;
  /** The score function of a child entry, after its `on_absent`. */
  child(child: Child): Score<unknown>;
  /** Evaluates an expression param on a candidate; `undefined` is absent. */
  expression(expression: ExpressionParam): Score<unknown, unknown>;
}

/** The run as every prepared unit sees it. */
export interface RunFacts {
  /** The time of the run, in milliseconds since 1970. No unit reads a clock. */
  readonly now: number;
  readonly context: Context;
  readonly signals: Signals;
  /** Aborts when the caller stops the run or the entry's `timeout` is over. Pass it on to what can be stopped. */
  readonly abort: AbortSignal;
  /** Evaluates an expression param on a candidate, or on any other object; `undefined` is absent. */
  expression(expression: ExpressionParam): Score<unknown, unknown>;
}

/** The run as a veto or scorer with `prepare` sees it. */
export interface Run<T = unknown> extends RunFacts {
  /** The candidates to score: those that nothing before it refused. */
  readonly candidates: readonly T[];
  /** The values of the measures, by id, at the positions of `candidates`; NaN is absent. */
  readonly measures: Readonly<Record<string, Float64Array>>;
  /** The score function of a child entry, prepared on the same candidates, after its `on_absent`. */
  child(child: Child): Score<unknown>;
  /**
   * Keeps the answers that have arrived if the entry's `timeout` is over before `prepare` is. Pass a score that reads the
   * answers so far and throws `abort.reason` for a candidate without one: that candidate follows the entry's `on_error`.
   * Without it, a timeout fails the entry for every candidate. Answers that arrive after the timeout must not change it.
   */
  partial(score: Score<T, unknown>): void;
}
