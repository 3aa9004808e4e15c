import type { Child } from './child.js';
import type { UnitMeta } from './meta.js';
import type { NoteData, Prepared, Score } from './score.js';
import type { Live, Run, RunFacts } from './run.js';

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
