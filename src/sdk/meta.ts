import type * as z from 'zod';
import type { Child } from './child.js';

/** The kinds of units. Using a unit where another kind is expected is a load error. */
export type UnitKind = 'veto' | 'scorer' | 'signal' | 'generator' | 'selector' | 'report';

/**
 * The part of the batch that a prepared unit must see to give the same scores. `candidate`: any part; `set`: all of it;
 * `sequence`: all of it, in order.
 */
export type BatchScope = 'candidate' | 'set' | 'sequence';

/** The inclusive bounds of a score. */
export type ScoreRange = readonly [least: number, most: number];

/** A value, or a function that computes it from the params. */
export type ParamDependent<P, V> = V | ((params: P) => V);

/** The memory of a unit: a value that the engine keeps between runs. Units do not modify it; each run returns a new one. */
export interface MemoryFacts<P> {
  /** The memory before the first run. */
  empty(params: P): unknown;
  /** Present if the memory can be stored in the file that an entry's `memory` names. */
  readonly file?: MemoryFormat<P>;
}

/**
 * Serializes a memory. The engine checks that the file is complete, and that its class, version and (if the unit has
 * one) `fingerprint` match.
 */
export interface MemoryFormat<P> {
  /** The version of this layout. A file with another version is refused. */
  readonly version: number;
  /** Older versions that `restore` can read. Their files are rewritten by the next update. */
  readonly older?: readonly number[];
  store(memory: never): Uint8Array;
  /**
   * Reads a stored memory, within the limits of these params. It gives the same scores as the one that was stored.
   *
   * @param version that of the layout of these bytes
   * @throws Error if it does not fit these params, for example because its vectors have other dimensions
   */
  restore(bytes: Uint8Array, params: P, version: number): unknown;
  /** Without it, each update writes the whole memory. */
  readonly changes?: MemoryChanges<P>;
}

/** Serializes what one run changes in a memory, so that it can be appended to the file. */
export interface MemoryChanges<P> {
  /** The changes from one memory to the next; undefined if the whole memory must be written. */
  store(before: never, after: never): Uint8Array | undefined;
  /** Applies stored changes. The result gives the same scores as the memory after them. */
  apply(memory: never, changes: Uint8Array, params: P): unknown;
}

/** Writes params as parts of an expression, for the formula of a unit. */
export interface FormulaParts {
  /** A number in CEL. If a number is not finite, the unit has no formula. */
  readonly number: (value: number) => string;
  /** The field of a path param. */
  readonly path: (reader: { readonly source: string }) => string;
  /** The score of a child, after its `on_absent`. */
  readonly child: (child: Child) => string;
  /**
   * The least score of a child, after its `on_absent`, among all candidates that pass the vetoes. It ignores NaN, and
   * is absent if no score is left. Only the formula of a unit with the scope `set` may use it;
   * with another scope the unit has no formula.
   */
  readonly least: (child: Child) => string;
  /** The greatest score of a child, under the same conditions. */
  readonly greatest: (child: Child) => string;
  /**
   * Another statistic of a child's scores, under the same conditions. Databases add numbers in any order, so only a plain
   * SQL statement uses a formula that reads it.
   */
  readonly statistic: (child: Child, which: FormulaStatistic) => string;
}

/**
 * A statistic of the scores of all candidates: their mean, their standard deviation over n or over n − 1, the square root
 * of the sum of their squares, their number, or the rank of the candidate's own score from 1 for the greatest, at which
 * equal scores share the mean of their ranks.
 */
export type FormulaStatistic = 'mean' | 'deviation' | 'sample_deviation' | 'length' | 'count' | 'rank';

/** What a unit class declares besides its params. */
export interface UnitFacts<P> {
  /** What the unit favours, refuses or computes, in one line for lists and docs. */
  readonly summary: string;
  /** The bounds of the score. Without them, the score is neither checked nor used for pruning. */
  readonly range?: ParamDependent<P, ScoreRange>;
  /**
   * The cost of scoring one candidate, relative to other scorers. Default: 1. Use about 1 for a field and arithmetic,
   * 100 for comparing vectors or reading a long text, 10,000 for embedding a text, 1,000,000 for the answer of a model.
   * The cost of the children is added. From 100 on, a scorer with `compile` is called once per candidate and run, and
   * its scores are kept; without a declared cost, the engine measures it and keeps scores above 10 µs. From 10,000 on,
   * a scorer with a range runs in the second phase: only on candidates that can still be selected.
   */
  readonly cost?: ParamDependent<P, number>;
  /**
   * `params`: the unit reads only the parts of a candidate that its params name, in paths, expressions and child
   * entries. Then only those columns of a file are read. Without `reads`, it may read anything.
   */
  readonly reads?: 'params';
  /** For a unit with `prepare`. Default: `set`. With children, the widest scope applies. */
  readonly scope?: ParamDependent<P, BatchScope>;
  /** The templates of the reasons that the unit may note, by id: `'{age:duration} old'`. */
  readonly reasons?: Readonly<Record<string, string>>;
  /**
   * The default `on_absent` of its entries. Without it: `skip` (for a veto: pass). A veto with `refuse` is a guard: it waits
   * for an answer, and refuses a candidate without one. Async functions are guards.
   */
  readonly onAbsent?: OnAbsent;
  /** For a selector: whether it may have to exceed its limits. The profile's `overflow` decides what happens then. */
  readonly overflows?: ParamDependent<P, boolean>;
  /**
   * For a selector: it obeys `limits.groups`, so that `select.per` holds while it chooses. Other selectors get only the
   * best rows of each group. The engine gives the reason for a row whose group is full.
   */
  readonly groups?: true;
  /** For a class under `select.pack`: it packs `limits.units`, so that `keep_together`, `requires` and `variants` hold. */
  readonly contracts?: true;
  /**
   * For a veto or a scorer: its computation as one CEL expression of `candidate` and `now`. With it, a database can do
   * the unit's work. It must do the same operations in the same order, so that results are equal bit by bit. If the
   * expression fails or its number is not finite (`0 / 0`), the result is unknown; it must do so wherever the unit
   * fails. Return undefined if these params have no formula.
   */
  readonly formula?: (params: P, parts: FormulaParts) => string | undefined;
  /** Present if the unit keeps a memory. Runs that share a memory wait for each other. */
  readonly memory?: MemoryFacts<P>;
}

/** The static description of a unit class. */
export interface UnitMeta<S extends z.ZodType = z.ZodType> extends UnitFacts<never> {
  readonly kind: UnitKind;
  readonly params: S;
}

const defineKind =
  (kind: UnitKind) =>
  <S extends z.ZodType>(meta: UnitFacts<z.output<S>> & { readonly params: S }): UnitMeta<S> => ({ ...meta, kind });

/** Describes a veto (Tier 1), which refuses or passes a candidate. */
export const defineVeto = defineKind('veto');
/** Describes a scorer (Tier 2) or a measure, which returns a number or abstains. */
export const defineScorer = defineKind('scorer');
/** Describes a signal, which computes one value per run. */
export const defineSignal = defineKind('signal');
/** Describes a generator, which returns the focus objects of a strategy. */
export const defineGenerator = defineKind('generator');
/** Describes a selector, which packs, chooses or orders rows. */
export const defineSelector = defineKind('selector');
/** Describes a report, which computes a value of the ranking as a whole. */
export const defineReport = defineKind('report');

/** The type of a unit class's params, after its schema has parsed them. */
export type ParamsOf<C extends { readonly meta: { readonly params: z.ZodType } }> = z.output<C['meta']['params']>;

/** What to do if a scorer abstains: leave its weight out of the row, use a number, or refuse the candidate. */
export type OnAbsent = number | 'skip' | 'refuse';
