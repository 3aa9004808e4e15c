import type * as z from 'zod';
import type { Child, OnAbsent } from './child.js';

/** The kinds of units. A unit in the place of another kind is a load error. */
export type UnitKind = 'veto' | 'scorer' | 'signal' | 'generator' | 'selector' | 'report';

/**
 * What a prepared unit must see to give the same scores. `candidate`: any part of the batch; `set`: all of it;
 * `sequence`: all of it, in order.
 */
export type BatchScope = 'candidate' | 'set' | 'sequence';

/** The lower and the upper bound of a score, both included. */
export type ScoreRange = readonly [least: number, most: number];

/** A value, or a function of the params that gives it. */
export type ParamDependent<P, V> = V | ((params: P) => V);

/**
 * The memory of a unit: a value that the engine keeps between runs. No unit writes into it: each run gives a new one.
 */
export interface MemoryFacts<P> {
  /** The memory before the first run. */
  empty(params: P): unknown;
  /** Present when the memory can be stored in the file that an entry's `memory` names. */
  readonly file?: MemoryFormat<P>;
}

/**
 * Serializes a memory. The engine checks of the file that it is whole and of the same class, version and, where the
 * unit has one, `fingerprint`.
 */
export interface MemoryFormat<P> {
  /** The version of this layout. A file of another version is refused. */
  readonly version: number;
  store(memory: never): Uint8Array;
  /**
   * The stored memory, under the limits of these params. It gives the same scores as the stored one.
   *
   * @throws Error where it cannot be a memory of these params, such as one of vectors of other dimensions
   */
  restore(bytes: Uint8Array, params: P): unknown;
}

/** How a formula of a unit writes what its params hold: each function gives a part of an expression. */
export interface FormulaParts {
  /** A number as CEL has it. With one that is not finite the unit has no formula. */
  readonly number: (value: number) => string;
  /** The field of a path param. */
  readonly path: (reader: { readonly source: string }) => string;
  /** The score of a child, after its `on_absent`. */
  readonly child: (child: Child) => string;
  /**
   * The least score of a child, after its `on_absent`, among all candidates that the vetoes leave; NaN is left out, and
   * where nothing else is there it is absent. With `greatest` it is all that the formula of a unit of the scope `set` may
   * know of the other candidates; a unit of another scope that reads either has no formula.
   */
  readonly least: (child: Child) => string;
  /** The greatest score of a child, likewise. */
  readonly greatest: (child: Child) => string;
}

/** What a unit class declares besides its params. */
export interface UnitFacts<P> {
  /** One line for lists and docs: what it favours, refuses or computes. */
  readonly summary: string;
  /** The bounds of the score. Without them it is neither checked nor used for pruning. */
  readonly range?: ParamDependent<P, ScoreRange>;
  /**
   * The cost of scoring one candidate, relative to other scorers; 1 by default. About 1 for a field and arithmetic, 100
   * for comparing vectors or reading a long text, 10,000 for embedding one, 1,000,000 for the answer of a model. The
   * cost of its children is added. From 100 on, a scorer with `compile` is called once for each candidate and run, and its
   * column is kept; without a declared cost the engine measures it, and does so above 10 µs. From 10,000 on, a scorer with
   * a range runs in the second phase: only on candidates that can still be selected.
   */
  readonly cost?: ParamDependent<P, number>;
  /**
   * `params`: of a candidate it reads nothing but what its params name, by paths, expressions and entries inside it. Then
   * only those columns of a file are read for it. Without it, it may read anything.
   */
  readonly reads?: 'params';
  /** For a unit with `prepare`; `set` by default. With children, the widest of all applies. */
  readonly scope?: ParamDependent<P, BatchScope>;
  /** The templates of the reasons that it may note, by id: `'{age:duration} old'`. */
  readonly reasons?: Readonly<Record<string, string>>;
  /** The default of its entries' `on_absent`: `skip` (a veto: pass) when left out. */
  readonly onAbsent?: OnAbsent;
  /** For a selector: whether it may have to exceed its limits. The profile's `overflow` decides then. */
  readonly overflows?: ParamDependent<P, boolean>;
  /**
   * For a selector: whether it keeps `limits.groups`, so that `select.per` holds while it chooses. Otherwise it is only
   * given the best of each group. A row whose group is full gets its reason from the engine.
   */
  readonly groups?: true;
  /**
   * For a veto or a scorer: the same as one CEL expression of `candidate` and `now`, operation by operation, so that both
   * have the same bits: with it a database can do the unit's work. Where the expression fails or gives no finite number,
   * as `0 / 0`, it says nothing, and it does so wherever the unit fails. Undefined where there is none for these params.
   */
  readonly formula?: (params: P, parts: FormulaParts) => string | undefined;
  /** Present when the unit keeps a memory. Runs that share one wait for each other. */
  readonly memory?: MemoryFacts<P>;
}

/** The static description of a unit class: its kind, the schema of its params, its facts. */
export interface UnitMeta<S extends z.ZodType = z.ZodType> extends UnitFacts<never> {
  readonly kind: UnitKind;
  readonly params: S;
}

const defineKind =
  (kind: UnitKind) =>
  <S extends z.ZodType>(meta: UnitFacts<z.output<S>> & { readonly params: S }): UnitMeta<S> => ({ ...meta, kind });

/** Describes a veto (Tier 1): refuses a candidate or passes it. */
export const defineVeto = defineKind('veto');
/** Describes a scorer (Tier 2) or a measure: gives a number or abstains. */
export const defineScorer = defineKind('scorer');
/** Describes a signal: gives one value a run. */
export const defineSignal = defineKind('signal');
/** Describes a generator: gives the focus objects of a strategy. */
export const defineGenerator = defineKind('generator');
/** Describes a selector: packs or places rows. */
export const defineSelector = defineKind('selector');
/** Describes a report: computes a value of the ranking as a whole. */
export const defineReport = defineKind('report');

/** The type of a unit class's params, as parsed by its schema. */
export type ParamsOf<C extends { readonly meta: { readonly params: z.ZodType } }> = z.output<C['meta']['params']>;
