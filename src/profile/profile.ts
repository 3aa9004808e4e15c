import type { BatchScope, Child, OnAbsent, ScoreRange } from '../sdk/index.js';
import type { Place } from '../base/index.js';
import type { PathReader, FieldNames, Expression } from '../expression/index.js';
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
  /** The group of a candidate, in which the rule reads its place. */
  readonly group: Expression | undefined;
  readonly when: Expression | undefined;
  readonly set: NumberOrExpression | undefined;
  readonly add: NumberOrExpression | undefined;
  readonly multiply: NumberOrExpression | TableFactor | undefined;
  readonly min: NumberOrExpression | undefined;
  readonly max: NumberOrExpression | undefined;
  /** Whether it refuses a candidate, and what it does if its `when` is absent; undefined if it does not refuse. */
  readonly refuse: { readonly onAbsent: 'pass' | 'refuse' } | undefined;
  /** The reason shown for a candidate that the rule refuses. */
  readonly reason: string | undefined;
}

/** How the raw scores of a candidate are combined into one number. */
export type CombineMethod = CombineMethodName | { readonly formula: Expression };

export interface CaseWeights {
  readonly by: Expression;
  /** The weights that override those of the entries, by case and entry id. */
  readonly cases: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** A field of the context that a profile declares. */
export interface ContextField {
  /** Undefined if any value is accepted. */
  readonly type: (typeof CONTEXT_TYPES)[number] | undefined;
  readonly required: boolean;
}

/** How a server uses the profile to answer requests. */
export interface ServeSpec {
  /** The candidate's field that receives the text of a document. */
  readonly text: string;
  /** The context's field that receives the query. */
  readonly query: string;
  /** How a score is converted to the relevance of a document: from 0 to 1, except `score`. */
  readonly relevance: (typeof RELEVANCE)[number];
  /** The name of a profile that ranks the same requests; its results are not returned. */
  readonly shadow?: string | undefined;
}

/** A valid profile: every class is resolved, every param checked, every expression parsed and typed. */
export interface Profile {
  readonly name: string;
  readonly description: string | undefined;
  /** Undefined if no entry has a label. */
  readonly labels: Labels | undefined;
  /** Maps the profile's field names to those of the candidates; undefined if it renames none. */
  readonly fields: FieldNames | undefined;
  readonly candidate: { readonly id: PathReader | undefined; readonly pinned: Expression | undefined };
  readonly context: ReadonlyMap<string, ContextField>;
  readonly phases: readonly Phase[];
  readonly signals: readonly SignalEntry[];
  readonly strategies: readonly StrategyEntry[];
  /** The most steps that one evaluation of an expression may take. */
  readonly expressionSteps: number;
  readonly lets: readonly NamedExpression[];
  readonly vetoOnFirst: boolean;
  readonly vetoes: readonly VetoEntry[];
  readonly measures: readonly MeasureEntry[];
  /** The statistics that expressions read, in an order in which each reads only earlier ones. */
  readonly stats: readonly StatisticEntry[];
  readonly scorers: readonly ScorerEntry[];
  readonly combine: CombineMethod;
  /** The combined score of a candidate without a score to combine; undefined if it is refused. */
  readonly onUnscored: number | undefined;
  readonly weights: CaseWeights | undefined;
  readonly adjustments: readonly Adjustment[];
  readonly rerank: RerankSpec | undefined;
  readonly pruning: PruningPlan;
  readonly select: SelectSpec;
  readonly fallback: readonly FallbackSpec[];
  readonly reports: readonly ReportEntry[];
  readonly serve: ServeSpec;
}

/** A limit that each run computes from its context. */
export interface ComputedLimit extends ProfileLocation {
  readonly expression: Expression;
}

/** A limit of the selection: a number, or an expression. */
export type Limit = number | ComputedLimit;

export interface SelectSpec {
  readonly duplicates: Expression | undefined;
  readonly minScore: Limit | undefined;
  /** At most `top` of the candidates for which `by` is equal. */
  readonly per: { readonly by: Expression; readonly top: number } | undefined;
  /** `undefined` stands for `input`. */
  readonly ties: readonly (Expression | undefined)[] | undefined;
  readonly top: Limit | undefined;
  /** The seed of random choices; without it, nothing is random. */
  readonly seed: Limit | undefined;
  /** Chooses the top candidates; without it, the highest scores are chosen. */
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
  /** Candidates for which it is equal are packed all or none. */
  readonly keepTogether: Expression | undefined;
  /** The ids of the candidates that must be packed too. */
  readonly requires: Expression | undefined;
  /** Shorter versions of a candidate. */
  readonly variants: Expression | undefined;
  /** The order of the packed candidates; undefined if the packed order stays, best first. */
  readonly order: PackOrder | undefined;
}

/** The order of the packed candidates: by score, by position in the input, or by an expression, lowest first. */
export type PackOrder =
  | 'score'
  | 'input'
  | {
      readonly expression: Expression;
      /** Whether its values are times. */
      readonly isTime: boolean;
    };

/** The profile's budget; a call may override its target and maximum. */
export interface BudgetSpec {
  readonly target: number | undefined;
  readonly max: number | undefined;
  readonly outputReserve: number;
  /** The sum of all reserved slots. */
  readonly reservedSlots: number;
  /** A percentage. */
  readonly safetyMargin: number;
}

/** The scorers that run only on the candidates that the other scorers rank best. */
export interface RerankSpec {
  /** The number of best candidates to rerank. */
  readonly top: number;
  /** The ids of the scorers. */
  readonly ask: readonly string[];
}

/** The scorers that run only on candidates that can still be selected. */
export interface PruningPlan {
  /** The cheapest first; empty if `disabledReason` is set. */
  readonly scorers: readonly ScorerEntry[];
  /** Why nothing can be pruned; undefined if something can. */
  readonly disabledReason: string | undefined;
}

export interface FallbackSpec {
  readonly when: Expression | undefined;
  readonly use: string;
}

/** A class with the params that its schema parsed. */
export interface ClassUse extends FoundClass {
  readonly kind: 'class';
  readonly params: unknown;
  /** The entries inside its params. */
  readonly children: ReadonlyMap<Child, ChildUse>;
  /** The paths into the candidate inside its params. */
  readonly paths: readonly PathReader[];
  /** The paths into the context inside its params. */
  readonly contextPaths: readonly PathReader[];
  /** The expressions inside its params. */
  readonly expressions: readonly Expression[];
}

/** An expression in place of a class. */
interface ExpressionUse {
  readonly kind: 'expr';
  readonly expression: Expression;
}

export type Use = ClassUse | ExpressionUse;

/** A scorer or a selector inside another's params. */
export interface ChildUse {
  /** Its id, or else its class name or the source of its expression. */
  readonly name: string;
  readonly use: Use;
  /** Relative to the weights of its siblings. */
  readonly weight: number;
  /** For scorers only: a selector does not abstain. */
  readonly onAbsent: OnAbsent;
}

/** An entry's memory file, and where the profile names it. */
export interface EntryMemoryFile {
  /** An absolute path. */
  readonly file: string;
  readonly path: string;
  readonly place: Place | undefined;
}

/** Where a part of a profile is written. */
export interface ProfileLocation {
  /** `tier2_scorers[0]` */
  readonly path: string;
  /** The file and position, if the part came from a file. */
  readonly place: Place | undefined;
}

/** The keys that vetoes, measures and scorers share. */
export interface Entry extends ProfileLocation {
  readonly id: string;
  readonly use: Use;
  readonly when: Expression | undefined;
  /** The most milliseconds that `prepare` may take. */
  readonly timeout: number | undefined;
  /** The file that stores the entry's memory between processes. */
  readonly memory: EntryMemoryFile | undefined;
  /** The candidates that the entry and the entries inside it must see together for a correct result. */
  readonly scopes: ReadonlySet<BatchScope>;
}

export interface VetoEntry extends Entry {
  readonly onAbsent: 'pass' | 'refuse';
  readonly onError: 'refuse' | 'pass' | 'fail';
  /** Overrides the veto's own reason for a refusal. */
  readonly reason: string | undefined;
}

export interface MeasureEntry extends Entry {
  /** Applies if the measure fails on a candidate or in `prepare`. */
  readonly onError: 'skip' | 'fail';
}

/** An expression with a name. */
export interface NamedExpression extends ProfileLocation {
  readonly name: string;
  readonly expression: Expression;
  /** Whether another expression reads it. */
  readonly isRead: boolean;
}

/** The statistics of a number over the kept candidates. Its id is `stats.` and its name; its use is the number. */
export interface StatisticEntry extends Entry {
  readonly name: string;
  /** The group of a candidate. */
  readonly by: Expression | undefined;
  /** Whether a candidate is counted. */
  readonly filter: Expression | undefined;
  /** The numbers of it that expressions read. The others are not computed. */
  readonly read: ReadonlySet<string>;
}

/** The numbers of a statistic. The deviation is that of a population; `stddev_sample` divides by one less. */
export const STATISTICS = ['min', 'max', 'sum', 'mean', 'count', 'stddev', 'stddev_sample'] as const;

export interface ScorerEntry extends Entry {
  readonly weight: number | Expression;
  readonly onAbsent: OnAbsent;
  /** Applies if the scorer fails on a candidate. */
  readonly onError: number | 'refuse' | 'skip' | 'fail';
  /** Applies if the scorer fails in `prepare`. */
  readonly onPrepareError: number | 'refuse' | 'skip' | 'fail';
  readonly outOfRange: 'warn' | 'clamp' | 'fail';
  readonly range: ScoreRange | undefined;
  /** The declared cost of scoring one candidate, including the entries inside it. */
  readonly cost: number;
  /** The reason shown for a candidate that is refused by `on_absent`. */
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
  /** The data that its candidates carry: every key except `enabled`, `before` and `focus`. */
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

/** The display names of the entries that have a `label`, by id. */
export type Labels = Readonly<Record<string, string>>;

/** The display name of an entry: its label, or else its id. */
export const labelOf = (labels: Labels | undefined, id: string): string =>
  labels !== undefined && Object.hasOwn(labels, id) ? labels[id]! : id;
