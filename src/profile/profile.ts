import type { Expression, FieldNames, PathReader } from '../expression/index.js';
import type { CombineMethodName } from './combine-methods.js';
import type { MeasureEntry, ReportEntry, ScorerEntry, SignalEntry, StrategyEntry, VetoEntry } from './entries.js';
import type { Labels } from './labels.js';
import type { CONTEXT_TYPES } from './schema/profile-schema.js';
import type { RELEVANCE } from './schema/serve-schema.js';
import type { FallbackSpec, PruningPlan, RerankSpec, SelectSpec } from './selection.js';

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
