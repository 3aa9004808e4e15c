/**
 * CEL expressions and paths, compiled to closures that know what they read.
 * What other rooms use of this one.
 *
 * @module
 */

export { DEFAULT_STEPS } from './cel/step-budget.js';
export { generatedOrPlain } from './code-generation.js';
export {
  ExpressionError,
  ExpressionEvaluationError,
  ExpressionStepsError,
  type BoundExpression,
  type ExpressionScope,
  RUN_VARIABLES,
  type VariableBinding,
  type VariableBindings,
  type VariableType,
} from './scope.js';
export { FieldNames, withFieldNames } from './field-names.js';
export {
  filePath,
  withFilePaths,
  environmentName,
  type GivenServices,
  outside,
  type Reach,
  reachOf,
  serviceOptions,
  url,
  withTrust,
} from './outside.js';
export { asRead, isMap, ownValue, setOwn } from './plain-data.js';
export { contextPath, duration, expression, itemPath, path, paths, timeFormat, withParamScope } from './params.js';
export { type Expression, isExpression, parseExpression } from './parse-expression.js';
export {
  compileCandidatePath,
  compilePath,
  isPathReader,
  type PathReader,
  closureReader,
  compileSteps,
  type ReadValue,
  storedReader,
} from './compile-path.js';
export { formatPath, parsePath, PathError, type PathStep } from './path-syntax.js';
export {
  readBoolean,
  readFinite,
  readList,
  readMap,
  readNumber,
  readText,
  readTexts,
  typeMismatch,
} from './typed-readers.js';
export { toMillis } from './time.js';
export type { TimeFormat } from './time-format.js';
