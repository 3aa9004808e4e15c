/**
 * The exports of `expression` for other modules.
 *
 * @module
 */

export { type CheckedNode, partsOf } from './cel/checked-node.js';
export { compile } from './cel/compiler.js';
export { DEFAULT_STEPS } from './cel/step-budget.js';
export { generatedOrPlain } from './code-generation.js';
export {
  closureReader,
  compileCandidatePath,
  compilePath,
  compileSteps,
  isPathReader,
  type PathReader,
  type ReadValue,
  storedReader,
} from './compile-path.js';
export { FieldNames, withFieldNames } from './field-names.js';
export {
  environmentName,
  filePath,
  type GivenServices,
  outside,
  serviceOptions,
  url,
  withFilePaths,
  withTrust,
} from './outside.js';
export { contextPath, duration, expression, itemPath, path, paths, timeFormat, withParamScope } from './params.js';
export { type Expression, isExpression, parseExpression } from './parse-expression.js';
export { formatPath, parsePath, PathError, type PathStep } from './path-syntax.js';
export { isMap, ownValue, setOwn } from './plain-data.js';
export {
  type BoundExpression,
  CANDIDATE_VARIABLE,
  ExpressionError,
  type ExpressionScope,
  ExpressionStepsError,
  RUN_VARIABLES,
  type VariableBinding,
  type VariableBindings,
  type VariableType,
} from './scope.js';
export type { TimeFormat } from './time-format.js';
export { isTime, toMillis } from './time.js';
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
