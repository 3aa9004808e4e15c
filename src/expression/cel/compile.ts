import type { ExpressionOrigin } from '../errors.js';
import type { BoundExpression } from '../expression.js';
import type { VariableBindings } from '../scope.js';
import type { CheckedNode } from './checked-node.js';
import { Compiler } from './compiler.js';
import { DEFAULT_STEPS, withinSteps } from './step-budget.js';

/**
 * Compiles a checked expression to closures over the bindings of its variables.
 *
 * @param origin what an error names
 * @param steps  how many steps one evaluation may take
 */
export function compile(
  tree: CheckedNode,
  bindings: VariableBindings,
  origin: ExpressionOrigin,
  steps: number = DEFAULT_STEPS,
): BoundExpression {
  const compiler = new Compiler(bindings);
  const evaluate = compiler.compile(tree);
  // Else the work is bounded by the length of the expression, and costs no count.
  return compiler.countsSteps ? withinSteps(evaluate, origin, steps) : evaluate;
}
