import type { BoundExpression } from '../expression.js';
import { compileSteps } from '../path/compile-steps.js';
import { CANDIDATE_VARIABLE, type VariableBinding, type VariableBindings } from '../scope.js';

const nullAsAbsent =
  (root: VariableBinding): BoundExpression =>
  (c, i) =>
    root(c, i) ?? undefined;

function readField(root: VariableBinding, field: string): BoundExpression {
  const read = compileSteps([{ kind: 'key', key: field }]);
  return (c, i) => read(root(c, i));
}

/** The node of a variable, or of one field of a variable with known fields. */
export function compileVariable(roots: VariableBindings, name: string, field: string | undefined): BoundExpression {
  const root = Object.hasOwn(roots, name) ? roots[name] : undefined;
  if (root === undefined && name === CANDIDATE_VARIABLE) return (c) => c;
  if (typeof root === 'function') return field === undefined ? nullAsAbsent(root) : readField(root, field);
  const one = field === undefined || root === undefined || !Object.hasOwn(root, field) ? undefined : root[field];
  if (one === undefined) throw new TypeError(`no root for ${field === undefined ? name : `${name}.${field}`}`);
  return nullAsAbsent(one);
}
