import type { Child, UnitMeta } from './meta.js';

/** A unit that needs one candidate at a time: compiled once a pipeline, synchronously. */
export interface RowUnit<P, T, V> {
  compile(params: P, live: Live): Score<T, V>;
}

/** A unit that needs the batch first (a model call, ranks, extrema, a memory): prepared once a run. */
export interface BatchUnit<P, T, V, M> {
  prepare(params: P, run: Run<T>, memory: M): Prepared<T, V, M> | Promise<Prepared<T, V, M>>;
}

/** Tier 2: scores each candidate alone. */
export type RowScorer<P, T = unknown> = RowUnit<P, T, number>;
/** Tier 2: scores each candidate once the batch is known. `M` is the type of its memory, if it keeps one. */
export type BatchScorer<P, T = unknown, M = undefined> = BatchUnit<P, T, number, M>;
/** Tier 1: refuses candidates, each alone. */
export type RowVeto<P, T = unknown> = RowUnit<P, T, boolean>;
/** Tier 1: refuses candidates, once the batch is known. */
export type BatchVeto<P, T = unknown, M = undefined> = BatchUnit<P, T, boolean, M>;

/** Computes one value a run, before the vetoes. Expressions read it as `signals.<id>`. */
export interface Signal<P, V = unknown> {
  prepare(params: P, run: RunFacts): V | Promise<V>;
}

/** The subject of a candidate that a strategy makes. `key` gives its id, `strategy/key`; other keys are its data. */
export interface Focus {
  readonly key: string;
  readonly [field: string]: unknown;
}

/** The run as a generator sees it, with the strategy to generate for. */
export interface GeneratorRun extends RunFacts {
  readonly strategy: Readonly<Record<string, unknown>>;
}

/** Gives the focus objects of one strategy in a run. There may be none. */
export interface Generator<P> {
  prepare(params: P, run: GeneratorRun): readonly Focus[] | Promise<readonly Focus[]>;
}

/** A row of a ranking as reports and selectors see it. */
export interface RankedRow<T = unknown> {
  readonly id: string;
  /** Its position in the candidates of the call. */
  readonly index: number;
  readonly candidate: T;
  readonly score: number;
}

/** The run as a report sees it, with its results. */
export interface ReportRun<T = unknown> extends RunFacts {
  /** Every scored candidate, best first. */
  readonly ranked: readonly RankedRow<T>[];
  /**
   * The selected rows, in order: pinned ones first unless the profile places them, with the score NaN, since none is
   * computed.
   */
  readonly selected: readonly RankedRow<T>[];
  /**
   * The raw value of a scorer or measure for a ranked row; undefined where it abstained, failed or did not run.
   *
   * @throws Error where the profile has no scorer or measure of that id
   */
  value(row: RankedRow<T>, entry: string): number | undefined;
  /** The number of candidates, and of those that a veto refused. */
  readonly counts: { readonly given: number; readonly vetoed: number };
}

/** A value of the ranking as a whole, with warnings for its reader. */
export interface ReportResult {
  readonly value: unknown;
  readonly warnings?: readonly string[];
}

/** Computes a value of the ranking as a whole, once it is made. */
export interface Report<P, T = unknown> {
  prepare(params: P, run: ReportRun<T>): ReportResult | Promise<ReportResult>;
}

/** A row to pack: its cost, and whether it must be kept. A pinned one has the score 1. */
export interface CostedRow<T = unknown> extends RankedRow<T> {
  readonly cost: number;
  readonly pinned: boolean;
}

/** The limits for the rows that are not pinned, in the unit of their cost: the cost of the pinned is subtracted. */
export interface SelectorLimits {
  /** What a selector fills and does not exceed. */
  readonly target: number;
  readonly max: number;
  /** The profile's `select.per`. Only a class under `select.diversify` whose meta has `groups: true` receives it. */
  readonly groups?: GroupLimit | undefined;
}

/** How many rows of one group a selector may keep; the pinned do not count. */
export interface GroupLimit {
  readonly most: number;
  /** The key of a row's group, equal (`===`) for rows of one group. Undefined: the row belongs to no group, and is not limited. */
  readonly of: (row: Pick<CostedRow, 'index'>) => unknown;
}

/** What a selector says of a row, with its data. Each may be a getter: it is read only when it is shown. */
export interface SelectorNote {
  readonly index: number;
  /** One of the selector's `reasons`. */
  readonly reason: string;
  /** The values that the template of the reason names. */
  readonly data?: NoteData | undefined;
}

/** A row that was left out: why, and which rows took its place. */
export interface SelectorLeftOut extends SelectorNote {
  /** The `index` of each row that is kept in its place, where there are such rows. */
  readonly keptInstead?: readonly number[] | undefined;
}

/** The result of a selector: each of its rows is kept or left. */
export interface SelectorResult<T = unknown> {
  /**
   * The selected are in the order of a placer, else in that of a diversifier; that of a packer matters only to a selector
   * around it.
   */
  readonly kept: readonly CostedRow<T>[];
  readonly left: readonly SelectorLeftOut[];
  /** Why rows are kept, where that is not only their score. */
  readonly notes?: readonly SelectorNote[];
  /** Warnings for a reader, such as a required share that is not met. */
  readonly warnings?: readonly string[];
}

/**
 * Chooses rows within limits, or places them. The pinned rows come first and are all kept, then the others, best first. It
 * is pure, and keeps nothing of no rows.
 */
export type SelectorFunction<T = unknown> = (
  rows: readonly CostedRow<T>[],
  limits: SelectorLimits,
) => SelectorResult<T>;

/**
 * The run as a selector sees it. It may contain another (a quota around a greedy pack). An expression is evaluated on a
 * row's candidate and `index`, and reads by default what `pack.cost` does.
 */
export interface SelectorRun<T = unknown> extends RunFacts {
  /** The rows that it will be given; inside another selector, some of them, in any number of calls. */
  readonly rows: readonly CostedRow<T>[];
  selector(child: Child): SelectorFunction<T>;
}

/**
 * Packs rows under a budget (`select.pack`); chooses the top (`select.diversify`), where a row costs 1 and the limits are
 * their number; or orders the selected (`select.place`) and keeps them all.
 */
export interface Selector<P, T = unknown> {
  prepare(params: P, run: SelectorRun<T>): SelectorFunction<T> | Promise<SelectorFunction<T>>;
}

/** An optional method of any unit: checks its params with its services, when the profile is compiled. */
export interface ParamsCheck<P> {
  /** @throws Error whose message says what is wrong: it becomes a problem of the entry */
  check(params: P): void;
}

/** An optional method of a unit with a memory. */
export interface MemoryFingerprint<P> {
  /**
   * What the memory depends on, such as the model of its vectors. A stored memory of another fingerprint is refused.
   */
  fingerprint(params: P): string;
}

/** An instance of any unit class, as the engine sees it: it is called with the params that its own schema gave. */
export type UnitInstance =
  | { compile(params: never, live: Live): unknown }
  | { prepare(params: never, run: never, memory: never): unknown };

/**
 * A class of units, named by the key of its plugin's export. One whose constructor has parameters is decorated with
 * `@injectable()`, and each parameter with `@inject(TOKEN)`; or it declares `static inject = [TOKEN]`.
 */
export interface UnitClass {
  readonly meta: UnitMeta;
  readonly inject?: readonly symbol[];
  readonly prototype: object;
  new (...services: never[]): UnitInstance;
}

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

/**
 * Scores one candidate: a pure, synchronous function that every veto and scorer gives. It has no effects and keeps no
 * state: two calls give the same.
 *
 * @param candidate the candidate, not to be changed
 * @param index     its position in the candidates of the unit
 * @param note      present only in a run that explains
 * @returns the number (a veto: whether it refuses), or `undefined` to abstain
 */
export type Score<T, V = number> = (candidate: T, index: number, note?: Note) => V | undefined;

/**
 * The result of preparing a batch: the score function, with the memory after the batch where the unit keeps one. A
 * returned error has the effect of a thrown one and costs less: for a state that lasts many runs, such as a model that
 * is not available.
 */
export type Prepared<T, V, M> = Score<T, V> | { readonly score: Score<T, V>; readonly memory: M } | Error;

/** The values of a reason: its template formats them, and the JSON explanation has them unchanged. */
export type NoteData = Readonly<Record<string, unknown>>;

/**
 * Records a reason for a score. It is `undefined` while ranking, so that `note?.('aged', { age })` costs nothing, not
 * even its arguments. To explain, the engine calls the same function again with a recorder.
 *
 * @param reason one of the unit's `reasons`; any other is an error of the unit
 * @param data   the values that the template names
 */
export type Note = (reason: string, data?: NoteData) => void;

/** Notes a reason and abstains: the scorer does not apply to the candidate, which is not a score of 0. */
export function abstain(note: Note | undefined, reason: string, data?: NoteData): undefined {
  note?.(reason, data);
  return undefined;
}

/** A row with its cost. */
interface Costed {
  readonly index: number;
  readonly cost: number;
}

/** Rows by their cost, the largest first; of equal ones, the one that was given first. */
export const largestFirst = <R extends Costed>(rows: readonly R[]): R[] => rows.toSorted((a, b) => b.cost - a.cost);

/**
 * The fewest rows whose cost covers what another row lacked: they are reported as kept in its place.
 *
 * @param rows   the largest first
 * @param lacked the cost that did not fit
 * @returns none where all of them together do not cover it
 */
export function fewestCovering<R extends Costed>(rows: Iterable<R>, lacked: number): readonly R[] {
  const fewest: R[] = [];
  let covered = 0;
  for (const row of rows) {
    fewest.push(row);
    covered += row.cost;
    if (covered >= lacked) return fewest;
  }
  return [];
}
