/**
 * CEL expressions and paths, compiled to closures that know what they read.
 * What other rooms use of this one.
 *
 * @module
 */

export { DEFAULT_STEPS } from './cel/step-budget.js';
export { generatedOrPlain } from './code-generation.js';
export { ExpressionError, ExpressionEvaluationError, ExpressionStepsError } from './errors.js';
export { type BoundExpression, type Expression, isExpression } from './expression.js';
export { FieldNames, withFieldNames } from './field-names.js';
export { filePath, withFilePaths } from './file-path.js';
export { asRead, isMap, ownValue, setOwn } from './plain-data.js';
export {
  environmentName,
  type GivenServices,
  outside,
  type Reach,
  reachOf,
  serviceOptions,
  url,
  withTrust,
} from './outside.js';
export { contextPath, duration, expression, itemPath, path, paths, timeFormat, withParamScope } from './params.js';
export { parseExpression } from './parse-expression.js';
export { compileCandidatePath, compilePath, isPathReader, type PathReader } from './path/compile-path.js';
export { closureReader, compileSteps, type ReadValue, storedReader } from './path/compile-steps.js';
export { formatPath, parsePath, PathError, type PathStep } from './path/path-syntax.js';
export {
  readBoolean,
  readFinite,
  readList,
  readMap,
  readNumber,
  readText,
  readTexts,
  typeMismatch,
} from './path/typed-readers.js';
export {
  type ExpressionScope,
  RUN_VARIABLES,
  type VariableBinding,
  type VariableBindings,
  type VariableType,
} from './scope.js';
export { toMillis } from './time.js';
export type { TimeFormat } from './time-format.js';
