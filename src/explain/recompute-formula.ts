import { parseExpression } from '../expression/parse-expression.js';
import { parsePath } from '../expression/path/path-syntax.js';
import type { VariableType } from '../expression/scope.js';
import type { Explanation } from './explanation.js';

/** Plain data that is being put together. */
type ValueTree = Record<string | number, unknown>;

/** Puts a value where a path leads: what is on the way is made. */
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

const variableType = (name: string): VariableType =>
  name === 'candidate' || name === 'context' || name === 'signals' || name === 'measures' ? 'dyn' : 'number';

/**
 * What a formula gives for the values that an explanation says it read.
 *
 * @returns undefined where it is absent, or where the explanation has in words only what the formula reads
 */
export function recomputeFormula({ now, combine }: Explanation): number | undefined {
  if (combine?.formula === undefined || combine.reads.some(({ summary }) => summary !== undefined)) return undefined;
  const values: ValueTree = { now, candidate: {}, context: {}, signals: {}, measures: {} };
  for (const { path, value } of combine.reads) setPath(values, path, value);
  const names = Object.keys(values);
  const scope = { name: 'the formula', variables: Object.fromEntries(names.map((name) => [name, variableType(name)])) };
  const roots = Object.fromEntries(names.map((name) => [name, () => values[name]]));
  const given = parseExpression(combine.formula, scope, 'number').bind(roots)(values['candidate'], 0);
  return typeof given === 'number' ? given : undefined;
}
