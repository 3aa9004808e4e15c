/** The type of a variable. `dyn` is any value; of a `{ fields }` variable only the listed fields can be read. */
export type VariableType =
  | 'dyn'
  | ScalarType
  | 'map'
  | { readonly fields: Readonly<Record<string, 'dyn' | ScalarType>> };

type ScalarType = 'number' | 'string' | 'bool';

/** The variables that an expression may read. */
export interface ExpressionScope {
  /** The scope in messages: `a rule`, `a veto`. */
  readonly name: string;
  readonly variables: Readonly<Record<string, VariableType>>;
  /** The fields of the candidate that are dates, where the data says it. */
  readonly dates?: ReadonlySet<string>;
}

/** Gives the value of a variable, or of one field of a `{ fields }` variable; null and undefined are absent. */
export type VariableBinding = (candidate: unknown, index: number) => unknown;

/** A binding for each variable of the scope; for a `{ fields }` variable one for each of its fields. */
export type VariableBindings = Readonly<Record<string, VariableBinding | Readonly<Record<string, VariableBinding>>>>;

/** The places of a profile that can read a variable which not every scope has: for messages elsewhere. */
export const VARIABLE_READERS: Readonly<Record<string, string>> = {
  candidate: 'vetoes, measures, scorers, rules and select',
  measures: 'measures, Tier 2, the formula, rules and select',
  score: 'rules and select',
  scores: 'rules and select',
  generated: 'fallback',
  vetoed: 'fallback',
  failed: 'fallback',
  strategies: 'fallback',
};

/** The variable that is the function's first argument: it needs no binding. */
export const CANDIDATE_VARIABLE = 'candidate';

/** The variables of an expression that is evaluated once a run: no candidate among them. */
export const RUN_VARIABLES = { context: 'dyn', signals: 'dyn', now: 'number' } as const;
