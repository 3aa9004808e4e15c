import type { BatchScope, Child, OnAbsent, ScoreRange } from '../contract/index.js';
import type { Place } from '../diagnostics/index.js';
import type { Expression, PathReader } from '../expression/index.js';
import type { FoundClass } from './class-lookup.js';

/** One use of a class: the class, and its params as its schema parsed them. */
export interface ClassUse extends FoundClass {
  readonly kind: 'class';
  readonly params: unknown;
  /** The entries among its params. */
  readonly children: ReadonlyMap<Child, ChildUse>;
  /** The paths into the candidate among its params. */
  readonly paths: readonly PathReader[];
  /** The paths into the context among its params. */
  readonly contextPaths: readonly PathReader[];
  /** The expressions among its params. */
  readonly expressions: readonly Expression[];
}

/** One use of an expression in place of a class. */
export interface ExpressionUse {
  readonly kind: 'expr';
  readonly expression: Expression;
}

export type Use = ClassUse | ExpressionUse;

/** A scorer or a selector inside another's params. */
export interface ChildUse {
  /** Its id; where it has none its class name, or the source of its expression. */
  readonly name: string;
  readonly use: Use;
  /** Relative to its siblings'. */
  readonly weight: number;
  /** Of scorers only: a selector does not abstain. */
  readonly onAbsent: OnAbsent;
}

/** The file of an entry's memory, and where the profile names it. */
export interface EntryMemoryFile {
  /** Absolute. */
  readonly file: string;
  readonly path: string;
  readonly place: Place | undefined;
}

/** Where a part of a profile is written. */
export interface ProfileLocation {
  /** `tier2_scorers[0]` */
  readonly path: string;
  /** Its file and position, if it came from a file. */
  readonly place: Place | undefined;
}

/** The common part of vetoes, measures and scorers. */
export interface Entry extends ProfileLocation {
  readonly id: string;
  readonly use: Use;
  readonly when: Expression | undefined;
  /** Milliseconds that preparing may take. */
  readonly timeout: number | undefined;
  /** The file that keeps its memory between processes. */
  readonly memory: EntryMemoryFile | undefined;
  /** The parts of the candidates that it and the entries inside it need to give the same answer. */
  readonly scopes: ReadonlySet<BatchScope>;
}

export interface VetoEntry extends Entry {
  readonly onAbsent: 'pass' | 'refuse';
  readonly onError: 'refuse' | 'pass' | 'fail';
  /** The reason for a candidate that it refuses, in place of its own. */
  readonly reason: string | undefined;
}

export interface MeasureEntry extends Entry {
  /** When it fails on a candidate or in prepare. */
  readonly onError: 'skip' | 'fail';
}

export interface ScorerEntry extends Entry {
  readonly weight: number | Expression;
  readonly onAbsent: OnAbsent;
  /** When it fails on a candidate. */
  readonly onError: number | 'refuse' | 'skip' | 'fail';
  /** When it fails in prepare. */
  readonly onPrepareError: number | 'refuse' | 'skip' | 'fail';
  readonly outOfRange: 'warn' | 'clamp' | 'fail';
  readonly range: ScoreRange | undefined;
  /** The declared cost of scoring one candidate, the entries inside it included. */
  readonly cost: number;
  /** The reason for a candidate that it refuses by `on_absent`. */
  readonly reason: string | undefined;
}

export interface SignalEntry extends ProfileLocation {
  readonly id: string;
  readonly use: ClassUse;
  readonly when: Expression | undefined;
  readonly timeout: number | undefined;
  readonly retries: number;
  readonly onError: 'skip' | 'fail';
}

export interface StrategyEntry extends ProfileLocation {
  readonly id: string;
  /** The strategy as its candidates carry it: every key but `enabled`, `before` and `focus`. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly focus: { readonly use: ClassUse; readonly when: Expression | undefined } | undefined;
}

export interface ReportEntry extends ProfileLocation {
  readonly id: string;
  readonly use: ClassUse;
  readonly when: Expression | undefined;
  readonly timeout: number | undefined;
  readonly warnBelow: number | undefined;
}
