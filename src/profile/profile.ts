import type { BatchScope, Child, OnAbsent, ScoreRange } from '../contract/index.js';
import type { Place } from '../diagnostics/index.js';
import type { Expression, FieldNames, PathReader } from '../expression/index.js';
import type { FoundClass } from './class-lookup.js';
import type { CombineMethodName } from './combine-methods.js';
import type { CONTEXT_TYPES, RELEVANCE } from './schema/profile-schema.js';

export interface Phase {
  readonly name: string;
  readonly turns: number | undefined;
  readonly when: Expression | undefined;
}

/** A number, or an expression that gives one. */
export type NumberOrExpression = number | Expression;

/** A factor looked up in a table, one key for each level. */
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
  /** The reason for a candidate that it refuses. */
  readonly reason: string | undefined;
}

/** A way in which the raw scores of a candidate become one number. */
export type CombineMethod = CombineMethodName | { readonly formula: Expression };

export interface CaseWeights {
  readonly by: Expression;
  /** The weights that differ from the entries' own, by case and entry id. */
  readonly cases: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

export interface ContextField {
  readonly type: (typeof CONTEXT_TYPES)[number] | undefined;
  readonly required: boolean;
}

/** How a server answers with a profile. */
export interface ServeSpec {
  /** The field of a candidate that the text of a document becomes. */
  readonly text: string;
  /** The field of the context that the query becomes. */
  readonly query: string;
  /** How a score becomes the relevance of a document: within 0 to 1, but for `score`. */
  readonly relevance: (typeof RELEVANCE)[number];
  /** The name of a profile that ranks the same requests unseen. */
  readonly shadow?: string | undefined;
}

/** A profile that is valid: every class found, every param checked, every expression parsed and typed. */
export interface Profile {
  readonly name: string;
  readonly description: string | undefined;
  /** Undefined where no entry has one. */
  readonly labels: Labels | undefined;
  /** Names of the profile in place of which candidates have others; undefined where there are none. */
  readonly fields: FieldNames | undefined;
  readonly candidate: { readonly id: PathReader | undefined; readonly pinned: Expression | undefined };
  readonly context: ReadonlyMap<string, ContextField>;
  readonly phases: readonly Phase[];
  readonly signals: readonly SignalEntry[];
  readonly strategies: readonly StrategyEntry[];
  /** How many steps an evaluation of an expression may take. */
  readonly expressionSteps: number;
  readonly vetoOnFirst: boolean;
  readonly vetoes: readonly VetoEntry[];
  readonly measures: readonly MeasureEntry[];
  readonly scorers: readonly ScorerEntry[];
  readonly combine: CombineMethod;
  readonly weights: CaseWeights | undefined;
  readonly adjustments: readonly Adjustment[];
  readonly rerank: RerankSpec | undefined;
  readonly pruning: PruningPlan;
  readonly select: SelectSpec;
  readonly fallback: readonly FallbackSpec[];
  readonly reports: readonly ReportEntry[];
  readonly serve: ServeSpec;
}

/** A limit that a run computes from its context. */
export interface ComputedLimit extends ProfileLocation {
  readonly expression: Expression;
}

/** A limit of the selection. */
export type Limit = number | ComputedLimit;

export interface SelectSpec {
  readonly duplicates: Expression | undefined;
  readonly minScore: Limit | undefined;
  /** At most `top` of the candidates for which `by` is equal. */
  readonly per: { readonly by: Expression; readonly top: number } | undefined;
  /** undefined is `input`. */
  readonly ties: readonly (Expression | undefined)[] | undefined;
  readonly top: Limit | undefined;
  /** Chooses the top; the best by score where there is none. */
  readonly diversify: SelectorEntry | undefined;
  /** Whether candidates that cannot be selected may skip expensive scorers. */
  readonly prune: boolean;
  readonly pack: PackEntry | undefined;
  readonly place: SelectorEntry | undefined;
}

/** A use of a selector class. */
export interface SelectorEntry extends ProfileLocation {
  readonly use: ClassUse;
}

export interface PackEntry extends SelectorEntry {
  readonly cost: Expression;
  readonly budget: BudgetSpec;
  readonly overflow: 'throw' | 'truncate' | 'proceed';
}

/** A budget as the profile has it; a call may give its own target and maximum. */
export interface BudgetSpec {
  readonly target: number | undefined;
  readonly max: number | undefined;
  readonly outputReserve: number;
  /** The sum of all. */
  readonly reservedSlots: number;
  /** A percentage. */
  readonly safetyMargin: number;
}

/** The scorers that run only on the best candidates by the others. */
export interface RerankSpec {
  /** About how many of the best. */
  readonly top: number;
  /** The ids of these scorers. */
  readonly ask: readonly string[];
}

/** The scorers that run only on candidates that can still be selected. */
export interface PruningPlan {
  /** The cheapest first; empty where `disabledReason` is given. */
  readonly scorers: readonly ScorerEntry[];
  /** Why nothing can be pruned; undefined where something can. */
  readonly disabledReason: string | undefined;
}

export interface FallbackSpec {
  readonly when: Expression | undefined;
  readonly use: string;
}

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
interface ExpressionUse {
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

/** The names for people of the entries that have one (`label`), by id. */
export type Labels = Readonly<Record<string, string>>;

/** The name of an entry for people: its label, else its id. */
export const labelOf = (labels: Labels | undefined, id: string): string =>
  labels !== undefined && Object.hasOwn(labels, id) ? labels[id]! : id;
