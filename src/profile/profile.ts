import type { Child, OnAbsent, ScoreRange, BatchScope as Sight } from '../contract/index.js';
import type { Place } from '../diagnostics/problem.js';
import type { Expression } from '../expression/expression.js';
import type { PathReader } from '../expression/path/compile-path.js';
import type { FoundClass } from './class-lookup.js';
import type { COMBINE_METHODS, CONTEXT_TYPES } from './schema/profile-schema.js';

/** One use of a class: found, and its params as its schema gave them. */
export interface ClassUse extends FoundClass {
  readonly kind: 'class';
  readonly params: unknown;
  /** The entries among its params. */
  readonly children: ReadonlyMap<Child, ChildUse>;
  /** The fields of a candidate that its `path` params read. */
  readonly paths: readonly PathReader[];
  /** The expressions among its params. */
  readonly expressions: readonly Expression[];
}

/** One use of an expression in place of a class. */
export interface ExpressionUse {
  readonly kind: 'expr';
  readonly expression: Expression;
}

export type Use = ClassUse | ExpressionUse;

/** A scorer, or a selector, inside another's params: only a scorer abstains. */
export interface ChildUse {
  readonly label: string;
  readonly use: Use;
  /** Among its siblings. */
  readonly weight: number;
  readonly onAbsent: OnAbsent;
}

/** The file that an entry's memory lives in, and where the profile says so. */
export interface EntryMemoryFile {
  /** Absolute. */
  readonly file: string;
  readonly path: string;
  readonly place: Place | undefined;
}

/** Where something stands in a profile. */
export interface ProfileLocation {
  /** `tier2_scorers[0]` */
  readonly path: string;
  /** In which file, if it came from one. */
  readonly place: Place | undefined;
}

/** What every entry has once the profile is valid. */
export interface Entry extends ProfileLocation {
  readonly id: string;
  readonly use: Use;
  readonly when: Expression | undefined;
  /** Milliseconds that its preparing may take. */
  readonly timeout: number | undefined;
  /** Where its memory outlives the process. */
  readonly memory: EntryMemoryFile | undefined;
  /** What it and the entries inside it must see to give the same answer. */
  readonly scopes: ReadonlySet<Sight>;
}

export interface VetoEntry extends Entry {
  readonly onAbsent: 'pass' | 'refuse';
  readonly onError: 'refuse' | 'pass' | 'fail';
}

export type MeasureEntry = Entry;

export interface ScorerEntry extends Entry {
  readonly weight: number | Expression;
  readonly onAbsent: OnAbsent;
  /** Where it fails on a candidate. */
  readonly onError: number | 'refuse' | 'skip' | 'fail';
  /** Where it fails in prepare. */
  readonly onPrepareError: number | 'refuse' | 'skip' | 'fail';
  readonly outOfRange: 'warn' | 'clamp' | 'fail';
  readonly range: ScoreRange | undefined;
  /** What asking about one candidate costs, with what the entries inside it cost. */
  readonly cost: number;
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
  /** The strategy as its candidates carry it: every key but the engine's own. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly focus: { readonly use: ClassUse; readonly when: Expression | undefined } | undefined;
}

export interface Phase {
  readonly name: string;
  readonly turns: number | undefined;
  readonly when: Expression | undefined;
}

/** A number, or what gives one. */
export type NumberOrExpression = number | Expression;

/** A factor looked up in a table, one key a level. */
export interface TableFactor {
  readonly table: ReadonlyMap<string, unknown>;
  readonly by: readonly Expression[];
  readonly missing: number;
  readonly zero: 'score' | 'refuse';
}

export interface Adjustment {
  readonly id: string;
  readonly when: Expression | undefined;
  readonly set: NumberOrExpression | undefined;
  readonly add: NumberOrExpression | undefined;
  readonly multiply: NumberOrExpression | TableFactor | undefined;
  readonly min: NumberOrExpression | undefined;
  readonly max: NumberOrExpression | undefined;
}

export interface ReportEntry extends ProfileLocation {
  readonly id: string;
  readonly use: ClassUse;
  readonly when: Expression | undefined;
  readonly timeout: number | undefined;
  readonly warnBelow: number | undefined;
}

export type CombineMethod = (typeof COMBINE_METHODS)[number] | { readonly formula: Expression };

export interface CaseWeights {
  readonly by: Expression;
  /** The weights that differ from the entries' own, by case and entry id. */
  readonly cases: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

export interface ContextField {
  readonly type: (typeof CONTEXT_TYPES)[number] | undefined;
  readonly required: boolean;
}

export interface SelectSpec {
  readonly duplicates: Expression | undefined;
  readonly minScore: number | undefined;
  /** undefined among them stands for `input`. */
  readonly ties: readonly (Expression | undefined)[] | undefined;
  readonly top: number | undefined;
  /** Whether who cannot be selected is spared the expensive scorers. */
  readonly prune: boolean;
  readonly pack: PackEntry | undefined;
  readonly place: SelectorEntry | undefined;
}

/** A selector class in its place. */
export interface SelectorEntry extends ProfileLocation {
  readonly use: ClassUse;
}

export interface PackEntry extends SelectorEntry {
  readonly cost: Expression;
  readonly budget: BudgetSpec;
  readonly overflow: 'throw' | 'truncate' | 'proceed';
}

/** A budget as the profile has it: a call may give its own target and maximum. */
export interface BudgetSpec {
  readonly target: number | undefined;
  readonly max: number | undefined;
  readonly outputReserve: number;
  /** All of them together. */
  readonly reservedSlots: number;
  /** In percent. */
  readonly safetyMargin: number;
}

/** Which scorers are asked only about the best by the others. */
export interface RerankSpec {
  /** About so many of the best. */
  readonly top: number;
  /** By id. */
  readonly ask: readonly string[];
}

/** Which scorers are asked only about candidates that can still be selected. */
export interface PruningPlan {
  /** The cheapest first; none where `off` says why. */
  readonly scorers: readonly ScorerEntry[];
  /** Why nobody is spared anything; undefined where somebody may be. */
  readonly disabledReason: string | undefined;
}

export interface FallbackSpec {
  readonly when: Expression | undefined;
  readonly use: string;
}

/** A profile that is valid: every class found, every param checked, every expression parsed and typed. */
export interface Profile {
  readonly name: string;
  readonly description: string | undefined;
  readonly candidate: { readonly id: PathReader | undefined; readonly pinned: Expression | undefined };
  readonly context: ReadonlyMap<string, ContextField>;
  readonly phases: readonly Phase[];
  readonly signals: readonly SignalEntry[];
  readonly strategies: readonly StrategyEntry[];
  readonly vetoOnFirst: boolean;
  readonly vetoes: readonly VetoEntry[];
  readonly measures: readonly MeasureEntry[];
  readonly scorers: readonly ScorerEntry[];
  readonly combine: CombineMethod;
  readonly weights: CaseWeights | undefined;
  readonly adjustments: readonly Adjustment[];
  readonly rerank: RerankSpec | undefined;
  /** Who is spared the expensive scorers, or why nobody is. */
  readonly pruning: PruningPlan;
  readonly select: SelectSpec;
  readonly fallback: readonly FallbackSpec[];
  readonly reports: readonly ReportEntry[];
}
