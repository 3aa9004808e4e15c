import {
  type CellState,
  arithmeticOf,
  combineRow,
  type Refusal,
  type RuleStep,
  applyOperation,
} from '../../engine/index.js';
import { parseExpression, parsePath, type VariableType } from '../../expression/index.js';
import type { CombineName } from '../../profile/index.js';
import type { JsonValue } from '../../base/index.js';
import type { CandidateOutcome } from './outcome.js';

/**
 * One node of an explanation: what it is, its value, why it has that value, and its parts. These fields are enough to
 * render a tree. The kinds below add more.
 */
export interface ExplanationNode {
  readonly kind: string;
  /** The id of an entry or rule, a stage, a combine method, the path of a field, or a reason. */
  readonly id: string;
  /** The display name (`label` in the profile), if it has one. */
  readonly label?: string;
  /** Usually a number. Missing if it is absent, failed or was not evaluated. */
  readonly value?: JsonValue;
  /** Why it has its value, in one line. May be empty. */
  readonly text: string;
  /** The result of its evaluation; missing for kinds that are always evaluated. */
  readonly state?: string;
  /** The numbers of its details to show as columns, in order. */
  readonly columns?: readonly ExplanationColumn[];
  readonly details: readonly ExplanationNode[];
}

/** A column of a table with a row for each detail of a node. */
export interface ExplanationColumn {
  /** The property of the details that holds the number. */
  readonly key: string;
  readonly head: string;
}

/** A field or variable that an entry read. Absent if it has neither `value` nor `summary`. */
export interface FieldNode extends ExplanationNode {
  readonly kind: 'field';
  /** Describes a value that is too large to show: `a list of 30`. */
  readonly summary?: string;
}

/** A reason that a unit noted. Its id is the id of the reason, which the unit declares in its meta. */
export interface NoteNode extends ExplanationNode {
  readonly kind: 'note';
  readonly data: { readonly [name: string]: JsonValue };
  /** The unit's mistake: an undeclared reason, or missing data. The score is not affected. */
  readonly problem?: string;
}

/**
 * The common part of vetoes, measures, scorers and nested entries. Their details are the notes of the unit, the fields
 * and variables that it read through its `path` params and expressions, and its nested entries in the order of their
 * calls.
 */
interface UnitNode extends ExplanationNode {
  /** The class, or the text of the expression. */
  readonly unit: string;
  readonly state: string;
  /** The message of its error, if it failed. */
  readonly error?: string;
  readonly details: readonly (NoteNode | FieldNode | EntryNode)[];
}

/** A nested entry. Its id is the class, or the text of the expression. */
export interface EntryNode extends UnitNode {
  readonly kind: 'entry';
  readonly state: 'scored' | 'absent' | 'failed';
  /** The number that its unit returned. */
  readonly raw?: number;
  /** The number that the outer entry received; missing if the nested entry is skipped. */
  readonly value?: number;
  /** Its weight among its siblings, if it has any. The outer entry decides how to use it. */
  readonly weight?: number;
  /** The key that replaced the raw number, as written in the profile: `on_absent: 0.5`. */
  readonly rule?: string;
}

/** One entry of Tier 1. */
export interface VetoNode extends UnitNode {
  readonly kind: 'veto';
  readonly state: 'passed' | 'refused' | 'absent' | 'failed' | 'not_evaluated';
  /** The kind of refusal, if it refused the candidate. */
  readonly refusal?: Refusal;
}

/** One named expression of the profile (`let`). */
export interface LetNode extends ExplanationNode {
  readonly kind: 'let';
  readonly state: 'computed' | 'absent' | 'failed';
  /** Describes a value that is too large to show: `a list of 30`. */
  readonly summary?: string;
  /** The text of the expression. */
  readonly unit: string;
  readonly details: readonly FieldNode[];
}

/** One measure. */
export interface MeasureNode extends UnitNode {
  readonly kind: 'measure';
  readonly state: CellState;
  readonly value?: number;
}

/** One entry of Tier 2. */
export interface ScorerNode extends UnitNode {
  readonly kind: 'scorer';
  readonly state: CellState;
  /** The number that its unit returned. */
  readonly raw?: number;
  /** The number that counts; missing if the entry is skipped for the candidate. */
  readonly value?: number;
  /** The key that replaced the raw number, as written in the profile: `on_absent: 0.5`, `out_of_range: clamp`. */
  readonly rule?: string;
  /** Its weight as written in the profile: a number or an expression. `case`: the case that sets it, if one does. */
  readonly written?: number | string;
  readonly case?: string;
  /** Its weight in this run, if the combine method uses weights: normalized in a mean, unchanged in other methods. */
  readonly share?: number;
  /** The factor of `value` (in a geometric mean: the exponent): `share`, scaled up if other scores are missing. */
  readonly weight?: number;
  /** Its part of the score: a summand in sums, a factor in product and geometric mean; missing in min, max and formula. */
  readonly contribution?: number;
  /** The kind of refusal, if it refused the candidate. */
  readonly refusal?: Refusal;
}

/** The combined score as `value`. Its details are the scorers, and the fields that a formula read. */
export interface CombineNode extends ExplanationNode {
  readonly kind: 'combine';
  readonly id: CombineName;
  readonly state: 'combined' | 'unscored' | 'failed' | 'not_evaluated';
  readonly value?: number;
  readonly formula?: string;
  /** How many of the run's scorers (`of`) have a value. Missing if nothing was combined. */
  readonly present?: number;
  readonly of?: number;
  /** The factor applied to the weights if some scores are missing: Σ|w| / Σ|w present|. */
  readonly scale?: number;
  readonly error?: string;
  readonly refusal?: Refusal;
  readonly details: readonly (ScorerNode | FieldNode)[];
}

/** One operation of a rule; its `value` is the score after it. */
export interface StepNode extends ExplanationNode {
  readonly kind: 'step';
  readonly id: RuleStep['operation'];
  readonly value: number;
  readonly amount: number;
  /** The expression, or the keys of the table, that gave the amount; missing if the profile has a number. */
  readonly from?: string;
}

/** One rule of the profile's `adjustments`; its `value` is the score after it. Its details: its steps and the fields it read. */
export interface RuleNode extends ExplanationNode {
  readonly kind: 'rule';
  readonly state: 'fired' | 'not_fired' | 'refused' | 'failed' | 'not_evaluated';
  readonly value?: number;
  readonly when?: string;
  readonly error?: string;
  readonly refusal?: Refusal;
  readonly details: readonly (StepNode | FieldNode)[];
}

/** A stage with a node for each of its entries. */
export interface StageNode<D extends ExplanationNode = ExplanationNode> extends ExplanationNode {
  readonly kind: 'stage';
  readonly details: readonly D[];
}

/**
 * Why a candidate has its result: a tree from its score down to every number and field behind it. Its details are the
 * stages of the run. Plain data, frozen. As JSON it is the same. Its keys are stable; new keys may be added.
 *
 * It contains all entries of the profile in the profile's order. An entry that was not run has the state
 * `not_evaluated`, and its text says why. Numbers are exact: `evaluate` computes the score from them.
 */
export interface Explanation extends ExplanationNode {
  readonly kind: 'candidate';
  readonly profile: string;
  /** Its position in the input; −1 if only a fallback generated it. */
  readonly index: number;
  /** How many candidates have this id, if it is more than one. */
  readonly sameId?: number;
  readonly outcome: CandidateOutcome;
  /** The time of the run, in milliseconds since 1970. */
  readonly now: number;
}

/** The node types by kind. */
export interface ExplanationNodes {
  readonly field: FieldNode;
  readonly note: NoteNode;
  readonly entry: EntryNode;
  readonly veto: VetoNode;
  readonly let: LetNode;
  readonly measure: MeasureNode;
  readonly scorer: ScorerNode;
  readonly combine: CombineNode;
  readonly rule: RuleNode;
  readonly step: StepNode;
}

/** The nodes of one kind. */
export function nodesOfKind<K extends keyof ExplanationNodes>(
  nodes: readonly ExplanationNode[],
  kind: K,
): readonly ExplanationNodes[K][] {
  return nodes.filter((node): node is ExplanationNodes[K] => node.kind === kind);
}

/** The nested entries of a node at every depth. */
export function* entriesInside(
  { details }: ExplanationNode,
  depth = 1,
): Generator<readonly [entry: EntryNode, depth: number]> {
  for (const entry of nodesOfKind(details, 'entry')) {
    yield [entry, depth];
    yield* entriesInside(entry, depth + 1);
  }
}

/** The nodes of an explanation, by stage. */
export interface ExplanationParts {
  /** The signals of the run, the phase among them. */
  readonly signals: readonly FieldNode[];
  readonly vetoes: readonly VetoNode[];
  readonly measures: readonly MeasureNode[];
  readonly scorers: readonly ScorerNode[];
  /** Undefined if nothing was combined. */
  readonly combine: CombineNode | undefined;
  readonly rules: readonly RuleNode[];
}

/**
 * Returns the nodes of an explanation by stage.
 *
 * ```ts
 * const { scorers } = explanationParts(ranking.explain('compass'));
 * scorers.map(({ id, contribution }) => [id, contribution]);
 * ```
 */
export function explanationParts({ details: stages }: Pick<Explanation, 'details'>): ExplanationParts {
  const inside = stages.flatMap(({ details }) => details);
  const combine = nodesOfKind(stages, 'combine')[0];
  return {
    signals: nodesOfKind(stages.find(({ id }) => id === 'signals')?.details ?? [], 'field'),
    vetoes: nodesOfKind(inside, 'veto'),
    measures: nodesOfKind(inside, 'measure'),
    scorers: nodesOfKind(inside, 'scorer'),
    combine: combine?.state === 'not_evaluated' ? undefined : combine,
    rules: nodesOfKind(inside, 'rule'),
  };
}

/**
 * Computes the score of an explanation from its leaves: the scorers' values and shares, the combine method and the
 * steps of the rules. Equals the ranked score exactly, because it applies the same operations in the same order.
 *
 * If a formula reads a value that the explanation only describes (a long list), it starts from the combined score
 * instead.
 *
 * @returns undefined if the candidate was not ranked
 */
export function evaluate(explanation: Explanation): number | undefined {
  const { combine, rules } = explanationParts(explanation);
  if (explanation.outcome.kind !== 'ranked' || !combine) return undefined;
  const lets = explanation.details.flatMap(({ details }) => nodesOfKind(details, 'let'));
  let score = recomputeCombine(combine, lets, explanation.now);
  for (const { details } of rules)
    for (const { id, amount } of nodesOfKind(details, 'step'))
      score = score === undefined ? undefined : applyOperation(id, score, amount);
  return score === undefined ? undefined : score + 0; // Turns −0 into 0, as in a ranking.
}

function recomputeCombine(combine: CombineNode, lets: readonly LetNode[], now: number): number | undefined {
  const { id: method, value, details } = combine;
  if (method === 'formula') return recomputeFormula(combine, lets, now) ?? value;
  const arithmetic = arithmeticOf(method);
  if (!arithmetic) return value;
  const evaluated = nodesOfKind(details, 'scorer').filter(({ state }) => state !== 'not_evaluated');
  return combineRow(
    arithmetic,
    evaluated.map((scorer) => scorer.value),
    Float64Array.from(evaluated, ({ share }) => share ?? 1),
  );
}

/**
 * Evaluates a formula with the values in an explanation.
 *
 * @returns undefined if it is absent, or if the explanation only describes a value that the formula reads
 */
function recomputeFormula(
  { formula, details }: CombineNode,
  lets: readonly LetNode[],
  now: number,
): number | undefined {
  if (formula === undefined) return undefined;
  const read = lets.filter(({ id }) => new RegExp(`\\b${id}\\b`).test(formula));
  const fields = [...nodesOfKind(details, 'field'), ...read];
  if (fields.some(({ summary }) => summary !== undefined)) return undefined;
  const values: ValueTree = { now, candidate: {}, context: {}, signals: {}, measures: {}, stats: {} };
  for (const { id, value } of fields) setPath(values, id, value);
  const names = Object.keys(values);
  const typeOf = (name: string): VariableType => (read.some(({ id }) => id === name) ? 'dyn' : variableType(name));
  const scope = { name: 'the formula', variables: Object.fromEntries(names.map((name) => [name, typeOf(name)])) };
  const roots = Object.fromEntries(names.map((name) => [name, () => values[name]]));
  const result = parseExpression(formula, scope, 'number').bind(roots)(values['candidate'], 0);
  return typeof result === 'number' ? result : undefined;
}

const variableType = (name: string): VariableType =>
  ['candidate', 'context', 'signals', 'measures', 'stats'].includes(name) ? 'dyn' : 'number';

type ValueTree = Record<string | number, unknown>;

/** Sets the value at a path. Creates the maps and lists on the path. */
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
