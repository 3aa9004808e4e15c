/**
 * Everything that a plugin needs, so that it depends on Assize alone.
 *
 * @module
 */

export * from './unit-sdk.js';
export {
  checkExpression,
  evaluateExpression,
  ExpressionError,
  ExpressionEvaluationError,
  type ExpressionProblem,
  type ExpressionWarning,
} from './expression/index.js';
// The decorators are inversify's own. Importing them also loads `reflect-metadata`, which inversify imports itself.
export { inject, injectable, named, optional } from 'inversify';
