import type { BoundExpression } from '../expression.js';
import { asRead } from '../plain-data.js';
import { compileSteps } from '../path/compile-steps.js';
import { CANDIDATE_VARIABLE, type VariableBinding, type VariableBindings } from '../scope.js';

const valueOf =
  (binding: VariableBinding): BoundExpression =>
  (c, i) => {
    const value = binding(c, i);
    return typeof value === 'object' ? asRead(value) : value;
  };

function readField(binding: VariableBinding, field: string): BoundExpression {
  const read = compileSteps([{ kind: 'key', key: field }]);
  return (c, i) => read(binding(c, i));
}

/** Compiles a variable, or one field of a variable with known fields. */
export function compileVariable(bindings: VariableBindings, name: string, field: string | undefined): BoundExpression {
  const binding = Object.hasOwn(bindings, name) ? bindings[name] : undefined;
  if (binding === undefined && name === CANDIDATE_VARIABLE) return (c) => c;
  if (typeof binding === 'function') return field === undefined ? valueOf(binding) : readField(binding, field);
  const one =
    field === undefined || binding === undefined || !Object.hasOwn(binding, field) ? undefined : binding[field];
  if (one === undefined) throw new TypeError(`no binding for ${field === undefined ? name : `${name}.${field}`}`);
  return valueOf(one);
}
