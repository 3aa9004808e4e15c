import type { z } from 'zod';
import type { OnAbsent } from './child.js';

/** The kinds of unit there are. A unit in the place of another kind is a load error. */
export type UnitKind = 'veto' | 'scorer' | 'signal' | 'generator' | 'selector' | 'report';

/**
 * What a prepared unit must see to give the same answer:
 * `candidate`: any part of the batch; `set`: all of it; `sequence`: all of it, in order.
 */
export type BatchScope = 'candidate' | 'set' | 'sequence';

/** The least and the most that a scorer can give, both included. */
export type ScoreRange = readonly [least: number, most: number];

/** A value, or how the params decide it. */
export type ParamDependent<P, V> = V | ((params: P) => V);

/** The memory of a unit: a value that the engine holds between runs and that no unit writes into. */
export interface MemoryFacts<P> {
  /** The memory before anything was learnt. */
  empty(params: P): unknown;
  /** Present where it can outlive the process, in the file that an entry's `memory` names. */
  readonly file?: MemoryFormat<P>;
}

/**
 * How a memory is written to a file and read again. The engine sees to the file: that it is whole, of the same class
 * and version, and of the same `fingerprint` where the unit has one.
 */
export interface MemoryFormat<P> {
  /** The number of this layout. A file of another one is refused. */
  readonly version: number;
  store(memory: never): Uint8Array;
  /**
   * The memory that was stored, under the limits of these params: it answers as the stored one did.
   *
   * @throws Error saying why what was stored cannot be a memory of these params: other dimensions
   */
  restore(bytes: Uint8Array, params: P): unknown;
}

/** What a unit says of itself besides its params. */
export interface UnitFacts<P> {
  /** One line for lists and docs: what it favours, refuses or computes. */
  readonly summary: string;
  /** Bounds of the score. Undeclared is unbounded: not checked, not pruned by. */
  readonly range?: ParamDependent<P, ScoreRange>;
  /**
   * What asking about one candidate costs, beside other scorers; 1 when not said. Some 1 for a field and arithmetic, 100
   * for comparing vectors or reading a long text, 10,000 for embedding one, 1,000,000 for the answer of a model. What its
   * entries cost is added. From 10,000 on, a scorer whose range is known is asked last, and only about candidates that can
   * still be selected.
   */
  readonly cost?: ParamDependent<P, number>;
  /** For a unit that prepares; `set` when not said. With children the widest of all counts. */
  readonly scope?: ParamDependent<P, BatchScope>;
  /** The reasons it may note, by id, as templates: `'{age:duration} old'`. */
  readonly reasons?: Readonly<Record<string, string>>;
  /** What stands in where it abstains, unless its entry says otherwise; `skip` (a veto: pass) when not said. */
  readonly onAbsent?: OnAbsent;
  /** For a selector: whether it may keep more than its limits, because it must. The profile's `overflow` decides then. */
  readonly overflows?: ParamDependent<P, boolean>;
  /** Present when the unit keeps a memory: runs that share it queue. */
  readonly memory?: MemoryFacts<P>;
}

/** Everything a unit class says of itself: its kind, its params and their defaults, its facts. */
export interface UnitMeta<S extends z.ZodType = z.ZodType> extends UnitFacts<never> {
  readonly kind: UnitKind;
  readonly params: S;
}

const defineKind =
  (kind: UnitKind) =>
  <S extends z.ZodType>(meta: UnitFacts<z.output<S>> & { readonly params: S }): UnitMeta<S> => ({ ...meta, kind });

/** Describes a veto: Tier 1, refuses or passes. */
export const defineVeto = defineKind('veto');
/** Describes a scorer: Tier 2, or a measure: a number or abstention. */
export const defineScorer = defineKind('scorer');
/** Describes a signal: one value a run. */
export const defineSignal = defineKind('signal');
/** Describes a generator: the focus objects of a strategy. */
export const defineGenerator = defineKind('generator');
/** Describes a selector: packs or places rows. */
export const defineSelector = defineKind('selector');
/** Describes a report: a value of the ranking as a whole. */
export const defineReport = defineKind('report');

/** The type of a unit class's params, as its schema gives them. */
export type ParamsOf<C extends { readonly meta: { readonly params: z.ZodType } }> = z.output<C['meta']['params']>;
