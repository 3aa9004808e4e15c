import { applyOperation, arithmeticOf, combineRow } from '../engine/index.js';
import { parseExpression, parsePath, type VariableType } from '../expression/index.js';
import type { CombineTerm, Explanation } from './explanation.js';

/**
 * Computes the score of an explanation from its leaves: the scorers' values and shares, the combine, the steps of the
 * rules. Exactly the ranked score, by the same operations in the same order.
 *
 * Where a formula reads a value that the explanation only describes (a long list), `combine.score` is used as it is.
 *
 * @returns undefined where nothing was scored, or the candidate was refused
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
 * @returns undefined where it is absent, or where the explanation only describes a value that the formula reads
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
