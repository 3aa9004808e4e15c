import { Checker } from './cel/checker.js';
import { parseCel } from './cel/parse-cel.js';
import { KeyedMap } from './path.js';
import { parseExpression } from './parse-expression.js';
import { ExpressionError, type ExpressionProblem, type VariableBinding, type VariableType } from './scope.js';

/**
 * Evaluates an expression (CEL) on variables, as a profile does: numbers are doubles, and a Date reads as milliseconds
 * since 1970. To evaluate one expression on many rows, use it in a profile, which compiles it once.
 *
 * @returns undefined if the result is null, or absent because the expression reads a missing field
 * @throws ExpressionError if the expression does not compile, with all of its problems
 * @throws ExpressionEvaluationError if it cannot be evaluated on these values
 */
export function evaluateExpression(text: string, variables: Readonly<Record<string, unknown>> = {}): unknown {
  const types: Record<string, VariableType> = Object.create(null);
  const bindings: Record<string, VariableBinding> = Object.create(null);
  for (const [name, value] of Object.entries(variables)) {
    types[name] = 'dyn';
    bindings[name] = () => value;
  }
  return plain(parseExpression(text, { name: 'the expression', variables: types }).bind(bindings)(undefined, 0));
}

/** A value without the maps of expressions: one whose keys are not only texts becomes a Map. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  return value instanceof KeyedMap ? new Map(value.entries.map(([key, inner]) => [key, plain(inner)])) : value;
}

/**
 * Checks an expression (CEL) without evaluating it: its syntax, the names of functions, and the types of literals.
 *
 * @param variables the names that it may read; any name if omitted
 * @returns its problems, none if it compiles
 */
export function checkExpression(text: string, variables?: readonly string[]): readonly ExpressionProblem[] {
  const types: Record<string, VariableType> = Object.create(null);
  for (const name of variables ?? []) types[name] = 'dyn';
  try {
    const checker = new Checker({ name: 'the expression', variables: types, ...(variables ? {} : { open: true }) });
    checker.check(parseCel(text));
    return checker.problems;
  } catch (error) {
    if (error instanceof ExpressionError) return error.problems;
    throw error;
  }
}
