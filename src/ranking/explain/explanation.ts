import {
  type CellState,
  arithmeticOf,
  combineRow,
  type Refusal,
  type RuleStep,
  applyOperation,
} from '../../engine/index.js';
import { parseExpression, parsePath, type VariableType } from '../../expression/index.js';
import type { CombineName, Labels } from '../../profile/index.js';
import type { FieldRead, JsonValue } from './json-value.js';

/** A reason that a unit noted. */
export interface NoteTerm {
  /** Its id among those that the unit declares. */
  readonly reason: string;
  /** Its template, filled with the data. If the unit declares no such reason: the id with spaces. */
  readonly text: string;
  readonly data: { readonly [name: string]: JsonValue };
  /** The unit's mistake: an undeclared reason, or missing data. The score is not affected. */
  readonly problem?: string;
}

/** The common part of vetoes, measures, scorers and the entries inside them. */
export interface EntryTerm {
  /** The class, or the text of the expression. */
  readonly unit: string;
  /** Why it was not evaluated, if its state is `not_asked`. */
  readonly because?: string;
  /** The text of its last note. */
  readonly reason?: string;
  /** The message of its error, where it failed. */
  readonly error?: string;
  readonly notes: readonly NoteTerm[];
  /** The fields and variables that it read through its `path` params and expressions. */
  readonly reads: readonly FieldRead[];
  /** The entries among its params, in the order in which it called them. */
  readonly inside: readonly ChildTerm[];
}

/** An entry inside another one. */
export interface ChildTerm extends EntryTerm {
  readonly state: 'scored' | 'absent' | 'failed';
  /** As its unit returned it. */
  readonly raw?: number;
  /** The value that its parent received; missing if it was skipped. */
  readonly value?: number;
  /** Its weight among its siblings, if it has one. Its parent defines the meaning. */
  readonly weight?: number;
  /** The key that decides which number counts instead, as the profile writes it: `on_absent: 0.5`. */
  readonly rule?: string;
}

/** One entry of Tier 1. */
export interface VetoTerm extends EntryTerm {
  readonly id: string;
  readonly state: 'passed' | 'refused' | 'absent' | 'failed' | 'not_asked';
  /** Why it refused the candidate, if it did. */
  readonly refusal?: Refusal;
}

/** One measure. */
export interface MeasureTerm extends EntryTerm {
  readonly id: string;
  readonly state: CellState;
  readonly value?: number;
}

/** One entry of Tier 2. */
export interface ScorerTerm extends EntryTerm {
  readonly id: string;
  readonly state: CellState;
  /** As its unit returned it. */
  readonly raw?: number;
  /** The number that counts; missing if the scorer is skipped for the candidate. */
  readonly value?: number;
  /** The key that decides which number counts, as the profile writes it: `on_absent: 0.5`, `out_of_range: clamp`. */
  readonly rule?: string;
  /** Its weight as the profile writes it: a number, or an expression. `case` is the case that it is from. */
  readonly written?: number | string;
  readonly case?: string;
  /** Its weight in this run, if the combine uses weights: in a mean its share of all weights, otherwise the weight. */
  readonly share?: number;
  /** The factor of `value` (in a geometric mean: the exponent): `share`, scaled up if other scores are missing. */
  readonly weight?: number;
  /** Its part in the score: a summand in the sums, a factor in product and geometric mean; missing in min, max and formula. */
  readonly contribution?: number;
  /** Why it refused the candidate, if it did. */
  readonly refusal?: Refusal;
}

/** How the scores were combined. */
export interface CombineTerm {
  readonly method: CombineName;
  readonly formula?: string;
  /** The fields and variables that the formula read. */
  readonly reads: readonly FieldRead[];
  /** The number of the run's scorers (`of`) that have a score. */
  readonly present: number;
  readonly of: number;
  /** What the weights of those present were multiplied by, if some are missing: Σ|w| / Σ|w present|. */
  readonly scale?: number;
  /** Missing if combining failed or had no scores. */
  readonly score?: number;
  readonly error?: string;
  readonly refusal?: Refusal;
}

/** One operation of a rule, and the score after it. */
export interface StepTerm extends RuleStep {
  /** The expression, or the keys of the table, that the amount is from; missing if the profile has a number. */
  readonly from?: string;
}

/** One rule of the profile's `adjustments`. */
export interface RuleTerm {
  readonly id: string;
  readonly state: 'fired' | 'not_fired' | 'refused' | 'failed' | 'not_asked';
  /** Why it was not run, where its state is `not_asked`. */
  readonly because?: string;
  readonly when?: string;
  readonly steps: readonly StepTerm[];
  /** The score after it. */
  readonly score?: number;
  readonly reads: readonly FieldRead[];
  readonly error?: string;
  readonly refusal?: Refusal;
}

/** One refusal, in words. */
export interface RefusalTerm {
  readonly kind: Refusal;
  /** The id of the entry; `combine` where combining refused. */
  readonly by: string;
  readonly reason: string;
}

/** The reason of a class under `select` for a candidate, and the same in words. */
export interface SelectionTerm {
  readonly reason: string;
  readonly text: string;
}

/** Why a candidate was not selected, as in the ranking's `leftOut`. */
export interface LeftOutTerm extends SelectionTerm {
  /** The names of the candidates that are in its place: ids, as `widget (#3)` if several have the id. */
  readonly keptInstead?: readonly string[];
}

/** The result of one candidate: ranked, refused, excluded before every scorer ran, `pinned`, or `made`: generated by a fallback. */
export type CandidateOutcome = (
  | {
      readonly kind: 'ranked';
      readonly score: number;
      /** From 1, the best, to `of`. */
      readonly rank: number;
      readonly of: number;
      /** Why it was not selected for its score. */
      readonly leftOut?: LeftOutTerm;
      /** The reason of the class that chose it. */
      readonly note?: SelectionTerm;
    }
  | ({ readonly kind: 'refused'; readonly all: readonly RefusalTerm[] } & Omit<RefusalTerm, 'kind'> & {
        readonly refusal: Refusal;
      })
  | {
      /** Some scorers did not run on it: it could not be selected, or a rerank did not include it. */
      readonly kind: 'not_asked';
      /** The upper bound of its score; missing after a rerank, which computes none. */
      readonly atMost?: number;
      readonly leftOut: LeftOutTerm;
    }
  | { readonly kind: 'pinned'; readonly leftOut?: LeftOutTerm }
  | { readonly kind: 'made' }
) & {
  /** Why it is selected; missing if it is not. A fallback may also have generated a candidate with the same id. */
  readonly selected?: 'score' | 'pinned' | 'fallback';
};

/**
 * Why a candidate has its result: a tree from its score down to every number and field in it. Plain data, frozen. As JSON
 * it is the same. Its keys are stable; new keys may be added.
 *
 * It contains all entries of the profile in their order. An entry that was not evaluated has the state `not_asked` and
 * the reason (`because`). Numbers are exact: `evaluate` computes the score from them.
 */
export interface Explanation {
  readonly profile: string;
  /** The display names of the entries that have a label, by id; missing if none has. */
  readonly labels?: Labels;
  readonly id: string;
  /** Its position in the input; −1 if only a fallback generated it. */
  readonly index: number;
  /** How many candidates have this id, if it is more than one. */
  readonly sameId?: number;
  readonly outcome: CandidateOutcome;
  /** The time of the run, in milliseconds since 1970. */
  readonly now: number;
  /** The signals of the run, the phase among them. */
  readonly signals: readonly FieldRead[];
  readonly vetoes: readonly VetoTerm[];
  readonly measures: readonly MeasureTerm[];
  readonly scorers: readonly ScorerTerm[];
  /** Missing if nothing was scored. */
  readonly combine?: CombineTerm;
  readonly rules: readonly RuleTerm[];
}

/**
 * Computes the score of an explanation from its leaves: the scorers' values and shares, the combine, the steps of the
 * rules. Exactly the ranked score, by the same operations in the same order.
 *
 * If a formula reads a value that the explanation only describes (a long list), the result is `combine.score`.
 *
 * @returns undefined if nothing was scored, or the candidate was refused
 */
export function evaluate(explanation: Explanation): number | undefined {
  const { outcome, combine, rules } = explanation;
  if (outcome.kind !== 'ranked' || !combine) return undefined;
  let score = recomputeCombine(explanation, combine);
  for (const { steps } of rules)
    for (const { operation, amount } of steps)
      score = score === undefined ? undefined : applyOperation(operation, score, amount);
  return score === undefined ? undefined : score + 0; // zero has no sign, as in a ranking
}

function recomputeCombine(explanation: Explanation, { method, score }: CombineTerm): number | undefined {
  if (method === 'formula') return recomputeFormula(explanation) ?? score;
  const arithmetic = arithmeticOf(method);
  if (!arithmetic) return score;
  const evaluated = explanation.scorers.filter(({ state }) => state !== 'not_asked');
  const values = evaluated.map(({ value }) => value);
  return combineRow(
    arithmetic,
    values,
    Float64Array.from(evaluated, ({ share }) => share ?? 1),
  );
}

/**
 * The result of a formula for the values that an explanation lists among its reads.
 *
 * @returns undefined if it is absent, or if the explanation only describes a value that the formula reads
 */
function recomputeFormula({ now, combine }: Explanation): number | undefined {
  if (combine?.formula === undefined || combine.reads.some(({ summary }) => summary !== undefined)) return undefined;
  const values: ValueTree = { now, candidate: {}, context: {}, signals: {}, measures: {} };
  for (const { path, value } of combine.reads) setPath(values, path, value);
  const names = Object.keys(values);
  const scope = { name: 'the formula', variables: Object.fromEntries(names.map((name) => [name, variableType(name)])) };
  const roots = Object.fromEntries(names.map((name) => [name, () => values[name]]));
  const result = parseExpression(combine.formula, scope, 'number').bind(roots)(values['candidate'], 0);
  return typeof result === 'number' ? result : undefined;
}

const variableType = (name: string): VariableType =>
  name === 'candidate' || name === 'context' || name === 'signals' || name === 'measures' ? 'dyn' : 'number';

/** Plain data that is being put together. */
type ValueTree = Record<string | number, unknown>;

/** Sets the value at a path; makes the maps and lists on the way. */
function setPath(into: ValueTree, path: string, value: unknown): void {
  const keys = parsePath(path).map((step) =>
    step.kind === 'key' ? step.key : step.kind === 'index' ? step.index : '[]',
  );
  const last = keys.pop() ?? '';
  let at = into;
  for (const [k, key] of keys.entries()) {
    const next = at[key] ?? (typeof (keys[k + 1] ?? last) === 'number' ? [] : Object.create(null));
    at[key] = next;
    at = next as ValueTree;
  }
  at[last] = value;
}
