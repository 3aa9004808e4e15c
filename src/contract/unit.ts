import type { Child } from './child.js';
import type { UnitMeta } from './meta.js';
import type { NoteData } from './note.js';
import type { Live, Run, RunFacts } from './run.js';
import type { Prepared, Score } from './score.js';

/** A unit that can judge one candidate alone: compiled once a pipeline, synchronously. */
export interface RowUnit<P, T, V> {
  compile(params: P, live: Live): Score<T, V>;
}

/** A unit that needs the batch first (a model call, ranks, extrema, a memory): prepared once a run. */
export interface BatchUnit<P, T, V, M> {
  prepare(params: P, run: Run<T>, memory: M): Prepared<T, V, M> | Promise<Prepared<T, V, M>>;
}

/** Tier 2: a number for each candidate, judged alone. */
export type RowScorer<P, T = unknown> = RowUnit<P, T, number>;
/** Tier 2: a number for each candidate, once the batch is known. `M` is its memory, where it keeps one. */
export type BatchScorer<P, T = unknown, M = undefined> = BatchUnit<P, T, number, M>;
/** Tier 1: whether the candidate is refused, judged alone. */
export type RowVeto<P, T = unknown> = RowUnit<P, T, boolean>;
/** Tier 1: whether the candidate is refused, once the batch is known. */
export type BatchVeto<P, T = unknown, M = undefined> = BatchUnit<P, T, boolean, M>;

/** A value computed once a run, before the vetoes, and added to the context as `signals.<id>`. */
export interface Signal<P, V = unknown> {
  prepare(params: P, run: RunFacts): V | Promise<V>;
}

/** What a candidate made by a strategy is about. `key` makes its id: `strategy/key`. Other keys are its data. */
export interface Focus {
  readonly key: string;
  readonly [field: string]: unknown;
}

/** The run as a generator sees it: with the strategy that it works for. */
export interface GeneratorRun extends RunFacts {
  readonly strategy: Readonly<Record<string, unknown>>;
}

/** The focus objects of one strategy: what it could be about in this run. None is an answer. */
export interface Generator<P> {
  prepare(params: P, run: GeneratorRun): readonly Focus[] | Promise<readonly Focus[]>;
}

/** One row of a ranking as reports and selectors see it. */
export interface RankedRow<T = unknown> {
  readonly id: string;
  /** Its position in the candidates that were given. */
  readonly index: number;
  readonly candidate: T;
  readonly score: number;
}

/** The run as a report sees it: with what came out. */
export interface ReportRun<T = unknown> extends RunFacts {
  /** Every scored candidate, best first. */
  readonly ranked: readonly RankedRow<T>[];
  /** What the run selected, in order. The pinned, first unless the profile places them, have the score NaN: nobody scored them. */
  readonly selected: readonly RankedRow<T>[];
  /**
   * What a scorer or measure gave a ranked row, before weights; undefined where it abstained, failed or was not asked.
   *
   * @throws Error where the profile has no scorer or measure of that id
   */
  value(row: RankedRow<T>, entry: string): number | undefined;
  /** How many candidates were given, and how many of them a veto refused. */
  readonly counts: { readonly given: number; readonly vetoed: number };
}

/** A value of the ranking as a whole, with what a reader should be warned of. */
export interface ReportResult {
  readonly value: unknown;
  readonly warnings?: readonly string[];
}

/** Says something of the ranking as a whole, once it is made. */
export interface Report<P, T = unknown> {
  prepare(params: P, run: ReportRun<T>): ReportResult | Promise<ReportResult>;
}

/** A row that wants room: what it costs, and whether it may not be dropped. A pinned one has the score 1. */
export interface CostedRow<T = unknown> extends RankedRow<T> {
  readonly cost: number;
  readonly pinned: boolean;
}

/** The room for the rows that are not pinned, in the unit of their cost: what the pinned ones cost is taken off already. */
export interface SelectorLimits {
  /** What a selector fills, and does not exceed. */
  readonly target: number;
  readonly max: number;
}

/** A row that was left out: why, with its data, and who took the place, if anybody did. A getter is asked when somebody looks. */
export interface SelectorLeftOut {
  readonly index: number;
  /** One of the reasons that the selector's meta declares. */
  readonly reason: string;
  /** The values that the reason's template names. */
  readonly data?: NoteData | undefined;
  /** The `index` of each row that is kept in its place; nobody where there is no such answer. */
  readonly keptInstead?: readonly number[] | undefined;
}

/** What a selector made of its rows: given = kept + left. */
export interface SelectorResult<T = unknown> {
  /** A packer's order tells another selector around it; a placer's is the order of the selected. */
  readonly kept: readonly CostedRow<T>[];
  readonly left: readonly SelectorLeftOut[];
  /** What a reader should know: a required share that was not met. */
  readonly warnings?: readonly string[];
}

/**
 * Packs rows into limits, or places them. The pinned ones come first and are all kept; then the best first. It is pure,
 * and given none it keeps none.
 */
export type SelectorFunction<T = unknown> = (
  rows: readonly CostedRow<T>[],
  limits: SelectorLimits,
) => SelectorResult<T>;

/**
 * The run as a selector sees it: it may hold another (a quota around a greedy pack). An expression is asked by a row's
 * candidate and `index`; unless the unit says otherwise it sees what `pack.cost` does.
 */
export interface SelectorRun<T = unknown> extends RunFacts {
  selector(child: Child): SelectorFunction<T>;
}

/** Packs rows under a budget (`select.pack`), or places what was selected (`select.place`): then it keeps them all. */
export interface Selector<P, T = unknown> {
  prepare(params: P, run: SelectorRun<T>): SelectorFunction<T> | Promise<SelectorFunction<T>>;
}

/** What any unit may have besides: a look at its params once its services are there, when the profile is compiled. */
export interface ParamsCheck<P> {
  /** @throws Error saying what is wrong: a problem of the entry, before anything runs */
  check(params: P): void;
}

/** What a unit with a memory may have besides. */
export interface MemoryFingerprint<P> {
  /**
   * What its memory is made with, such as the model whose vectors it holds: one that was made with something else
   * means nothing to it, and is refused.
   */
  fingerprint(params: P): string;
}

/** What an instance of any unit class looks like to the engine, which calls it with what its own schema gave. */
export type UnitInstance =
  | { compile(params: never, live: Live): unknown }
  | { prepare(params: never, run: never, memory: never): unknown };

/**
 * A class of units. Its name is the key under which its pack exports it. Without constructor parameters it needs no
 * decorator; with them `@injectable()` and `@inject(TOKEN)` on each, or `static inject = [TOKEN]`.
 */
export interface UnitClass {
  readonly meta: UnitMeta;
  readonly inject?: readonly symbol[];
  readonly prototype: object;
  new (...services: never[]): UnitInstance;
}
