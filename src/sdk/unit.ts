import type { ServiceIdentifier } from 'inversify';
import type { Child } from './child.js';
import type { UnitMeta } from './meta.js';

/** A unit that needs one candidate at a time. It is compiled once per pipeline, synchronously. */
export interface RowUnit<P, T, V> {
  compile(params: P, live: Live): Score<T, V>;
}

/** A unit that needs the batch first (for a model call, ranks, extrema or a memory). It is prepared once per run. */
export interface BatchUnit<P, T, V, M> {
  prepare(params: P, run: Run<T>, memory: M): Prepared<T, V, M> | Promise<Prepared<T, V, M>>;
  /**
   * For params that do not need the batch: the function that scores a candidate alone, as `compile` of another unit
   * returns it. It must give the same scores and notes as `prepare`, which is then not called. Undefined for other params.
   */
  alone?(params: P, live: Live): Score<T, V> | undefined;
}

/** Tier 2: scores each candidate alone. */
export type RowScorer<P, T = unknown> = RowUnit<P, T, number>;
/** Tier 2: scores each candidate after it has seen the batch. `M` is the type of its memory, if it keeps one. */
export interface BatchScorer<P, T = unknown, M = undefined> extends BatchUnit<P, T, number, M> {
  /**
   * Optional, for speed: scores many groups at once, each of which is a batch. The scores must be those of `prepare` for
   * each group. Called instead of `prepare` if rows are ranked by group and all children are expressions.
   */
  prepareGroups?(params: P, run: GroupedRun): GroupedScores;
}

/** The candidates of many groups, one group after the other. Positions count from the first candidate of the first group. */
export interface GroupedRun {
  /** By group: the position after its last candidate. */
  readonly ends: Int32Array;
  /** The scores of a child entry by position, after its `on_absent`; NaN if it abstains or fails. The caller may change them. */
  column(child: Child): Float64Array;
  /** The score function of a child entry, after its `on_absent`. */
  child(child: Child): Score<unknown>;
}

/** The scores of all groups. */
export interface GroupedScores {
  /** By position; NaN if `score` must be called. */
  readonly known: Float64Array;
  /** Scores one candidate. Its `index` is the position. */
  readonly score: Score<unknown>;
}
/** Tier 1: refuses or passes each candidate alone. */
export type RowVeto<P, T = unknown> = RowUnit<P, T, boolean>;
/** Tier 1: refuses or passes each candidate after it has seen the batch. */
export type BatchVeto<P, T = unknown, M = undefined> = BatchUnit<P, T, boolean, M>;

/** Computes one value per run, before the vetoes. Expressions read it as `signals.<id>`. */
export interface Signal<P, V = unknown> {
  prepare(params: P, run: RunFacts): V | Promise<V>;
}

/** The subject of a candidate that a strategy generates. The candidate's id is `strategy/key`; other keys are data. */
export interface Focus {
  readonly key: string;
  readonly [field: string]: unknown;
}

/** The run as a generator sees it, with the strategy to generate for. */
export interface GeneratorRun extends RunFacts {
  readonly strategy: Readonly<Record<string, unknown>>;
}

/** Generates the focus objects of one strategy in a run. The list may be empty. */
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
   * The selected rows, in order: pinned rows first, unless the profile places them. Their score is NaN, because it is not
   * computed.
   */
  readonly selected: readonly RankedRow<T>[];
  /**
   * The raw value of a scorer or measure for a ranked row, or undefined if it abstained, failed or did not run.
   *
   * @throws Error if the profile has no scorer or measure with this id
   */
  value(row: RankedRow<T>, entry: string): number | undefined;
  /** The number of candidates, and how many of them a veto refused. */
  readonly counts: { readonly given: number; readonly vetoed: number };
}

/** A value of the ranking as a whole, with warnings for its reader. */
export interface ReportResult {
  readonly value: unknown;
  readonly warnings?: readonly string[];
}

/** Computes a value of the ranking as a whole, after the selection. */
export interface Report<P, T = unknown> {
  prepare(params: P, run: ReportRun<T>): ReportResult | Promise<ReportResult>;
}

/** A row to pack, with its cost, and whether it must be kept (`pinned`). A pinned row has the score 1. */
export interface CostedRow<T = unknown> extends RankedRow<T> {
  readonly cost: number;
  readonly pinned: boolean;
  /** Shorter versions, if the profile has `select.pack.variants`. Each costs less than the row. */
  readonly variants?: readonly RowVariant[] | undefined;
}

/** A shorter version of a row. */
export interface RowVariant {
  readonly cost: number;
  /** The part of the row's score that the version counts for, from 0 to 1. */
  readonly share: number;
}

/** Rows that are packed all or none. */
export interface PackUnit {
  readonly rows: readonly CostedRow[];
  /** The positions in the list of the units that must be packed with it. They form no cycle. */
  readonly needs: readonly number[];
}

/** The limits for the rows that are not pinned, in the unit of their cost. The cost of the pinned rows is subtracted. */
export interface SelectorLimits {
  /** The limit that a selector fills and does not exceed. */
  readonly target: number;
  readonly max: number;
  /** The profile's `select.per`. Only a class under `select.diversify` whose meta has `groups: true` receives it. */
  readonly groups?: GroupLimit | undefined;
  /**
   * The rows that are not pinned, as units that must not be split. Only a class under `select.pack` whose meta has
   * `contracts: true` receives it.
   */
  readonly units?: readonly PackUnit[] | undefined;
}

/** How many rows of one group a selector may keep. Pinned rows do not count. */
export interface GroupLimit {
  readonly most: number;
  /** The key of a row's group, equal (`===`) for rows of one group. A row with an undefined key is not limited. */
  readonly of: (row: Pick<CostedRow, 'index'>) => unknown;
}

/** A selector's reason for a row. Each property may be a getter: it is read only when it is shown. */
export interface SelectorNote {
  readonly index: number;
  /** One of the selector's `reasons`. */
  readonly reason: string;
  /** The values that the reason's template names. */
  readonly data?: NoteData | undefined;
}

/** A row that is not selected: why, and which rows are selected instead. */
export interface SelectorNotSelected extends SelectorNote {
  /** The `index` of each row that is kept instead of it, if there are such rows. */
  readonly replacedBy?: readonly number[] | undefined;
}

/** The result of a selector. Each row is in `kept` or in `left`. */
export interface SelectorResult<T = unknown> {
  /**
   * The rows of the result have the order of the placer, or of the diversifier if there is no placer. The order of a packer
   * matters only to a selector that contains it.
   */
  readonly kept: readonly CostedRow<T>[];
  readonly left: readonly SelectorNotSelected[];
  /** Why rows are kept, if their score is not the only reason. */
  readonly notes?: readonly SelectorNote[];
  /** Warnings, such as a required share that is not met. */
  readonly warnings?: readonly string[];
  /** By `index` of a kept row: the position in its `variants` of the version that is kept instead of it. */
  readonly variants?: ReadonlyMap<number, number> | undefined;
  /** How good a packer's choice is, if the packer knows. */
  readonly optimality?: Optimality | undefined;
}

/** How good a packer's choice is: its sum of scores, and how much a better choice could have at most. */
export interface Optimality {
  /** `exact` if no other choice has a greater sum. */
  readonly method: string;
  /** The sum of the scores of the rows that are kept and not pinned. */
  readonly score: number;
  /** No choice within the limits has a greater sum. */
  readonly bound: number;
}

/**
 * Chooses rows within limits, or orders them. The input has the pinned rows first, which must all be kept, then the others,
 * best first. The function is pure, and accepts an empty list.
 */
export type SelectorFunction<T = unknown> = (
  rows: readonly CostedRow<T>[],
  limits: SelectorLimits,
) => SelectorResult<T>;

/**
 * The run as a selector sees it. A selector may contain another one (a quota around a greedy pack). An expression is
 * evaluated on a row's candidate and `index`, and may read the same variables as `pack.cost`.
 */
export interface SelectorRun<T = unknown> extends RunFacts {
  /** The rows that its function will get. An outer selector may call the function any number of times, with some of them. */
  readonly rows: readonly CostedRow<T>[];
  /** The seed of random choices (`randomAt`). Without it, a selector must not choose at random. */
  readonly seed?: number | undefined;
  selector(child: Child): SelectorFunction<T>;
}

/**
 * Packs rows into a budget (`select.pack`); chooses the top (`select.diversify`), with a cost of 1 per row and limits that
 * count rows; or orders the selected rows (`select.place`) and keeps them all.
 */
export interface Selector<P, T = unknown> {
  prepare(params: P, run: SelectorRun<T>): SelectorFunction<T> | Promise<SelectorFunction<T>>;
}

/** An optional method of any unit. It checks the params with the unit's services when the profile is compiled. */
export interface ParamsCheck<P> {
  /** @throws Error whose message becomes a problem of the entry */
  check(params: P): void;
}

/** An optional method of a unit with a memory. */
export interface MemoryFingerprint<P> {
  /** What the memory depends on, such as the model of its vectors. A stored memory with another fingerprint is refused. */
  fingerprint(params: P): string;
}

/** An instance of any unit class, as the engine sees it. The engine passes the params that the unit's schema returned. */
export type UnitInstance =
  | { compile(params: never, live: Live): unknown }
  | { prepare(params: never, run: never, memory: never): unknown };

/**
 * A class of units, named by the key of its plugin's export. If its constructor has parameters, declare
 * `static inject = [TOKEN]`, or decorate the class with `@injectable()` and each parameter with `@inject(TOKEN)`.
 */
export interface UnitClass {
  readonly meta: UnitMeta;
  readonly inject?: readonly ServiceIdentifier[];
  readonly prototype: object;
  new (...services: never[]): UnitInstance;
}

/** The data of a call besides its candidates (turn, query, history, `now` …). It is a shallow, frozen copy of the caller's. */
export type Context = Readonly<Record<string, unknown>>;

/** The values of the profile's signals, by id, computed once per run. A signal that failed or did not run is missing. */
export type Signals = Readonly<Record<string, unknown>>;

/** An expression among a unit's params, checked when the profile is loaded. Evaluate it with the run's `expression`. */
export interface ExpressionParam {
  readonly source: string;
}

/**
 * Access to the current run for a compiled score. The members are functions because a compiled score lives as long as its
 * pipeline: a captured value would belong to an earlier run.
 */
export interface Live {
  /** The time of the run, in milliseconds since 1970: the context's `now`, or the clock, which is read once per run. */
  now(): number;
  context(): Context;
  signals(): Signals;
  /** The score function of a child entry, after its `on_absent`. */
  child(child: Child): Score<unknown>;
  /** Evaluates an expression param on a candidate. `undefined` means absent. */
  expression(expression: ExpressionParam): Score<unknown, unknown>;
}

/** The run as every prepared unit sees it. */
export interface RunFacts {
  /** The time of the run, in milliseconds since 1970. Units must not read a clock. */
  readonly now: number;
  readonly context: Context;
  readonly signals: Signals;
  /** Aborts when the caller stops the run or the entry's `timeout` is over. Pass it to calls that can be aborted. */
  readonly abort: AbortSignal;
  /** Evaluates an expression param on a candidate, or on any other object. `undefined` means absent. */
  expression(expression: ExpressionParam): Score<unknown, unknown>;
}

/** The run as a veto or scorer with `prepare` sees it. */
export interface Run<T = unknown> extends RunFacts {
  /** The candidates to score. Those that an earlier entry refused are not among them. */
  readonly candidates: readonly T[];
  /** The values of the measures, by id, at the positions of `candidates`. NaN means absent. */
  readonly measures: Readonly<Record<string, Float64Array>>;
  /** The id of a candidate: the value of the profile's `candidate.id`, else its `id`. Undefined if it has none. */
  idOf(candidate: T): string | undefined;
  /** The score function of a child entry, prepared on the same candidates, after its `on_absent`. */
  child(child: Child): Score<unknown>;
  /**
   * Keeps the answers that have arrived when the entry's `timeout` is over before `prepare` is. Pass a score that reads the
   * answers so far and throws `abort.reason` for a candidate without one; `on_error` of the entry applies to it. Without
   * this call, a timeout fails the entry for every candidate. Answers that arrive after the timeout must not change it.
   */
  partial(score: Score<T, unknown>): void;
}

/**
 * Scores one candidate. Every veto and scorer returns such a function. It is pure and synchronous: it has no effects, keeps
 * no state, and returns the same value for the same candidate.
 *
 * @param candidate the candidate; do not change it
 * @param index     its position in the candidates of the unit
 * @param note      present only in a run that explains
 * @returns the number (for a veto: whether it refuses), or `undefined` to abstain
 */
export type Score<T, V = number> = (candidate: T, index: number, note?: Note) => V | undefined;

/**
 * The result of preparing a batch: the score function, and the memory after the batch if the unit keeps one. A returned
 * error has the effect of a thrown one but is cheaper. Use it for a state that lasts many runs, such as an unavailable
 * model.
 */
export type Prepared<T, V, M> = Score<T, V> | { readonly score: Score<T, V>; readonly memory: M } | Error;

/** The values of a reason. Its template formats them; the JSON explanation contains them unchanged. */
export type NoteData = Readonly<Record<string, unknown>>;

/**
 * Records a reason for a score. It is `undefined` during ranking, so that `note?.('aged', { age })` does not even evaluate
 * its arguments. To explain, the engine calls the score function again with a recorder.
 *
 * @param reason one of the unit's `reasons`; any other is an error of the unit
 * @param data   the values that the template names
 */
export type Note = (reason: string, data?: NoteData) => void;

/** Notes a reason and abstains: the scorer does not apply to the candidate. That is not a score of 0. */
export function abstain(note: Note | undefined, reason: string, data?: NoteData): undefined {
  note?.(reason, data);
  return undefined;
}

/** A row with its cost. */
interface Costed {
  readonly index: number;
  readonly cost: number;
}

/** Sorts rows by cost, the largest first. The sort is stable. */
export const largestFirst = <R extends Costed>(rows: readonly R[]): R[] => rows.toSorted((a, b) => b.cost - a.cost);

/**
 * The fewest rows whose cost covers the cost that another row lacked. They are reported as kept instead of it.
 *
 * @param rows   sorted by cost, the largest first
 * @param lacked the cost that did not fit
 * @returns an empty list if all of them together do not cover it
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
