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
  FieldNames,
  formatPath,
  isPathReader,
  parsePath,
  PathError,
  type PathReader,
  type PathStep,
  type ReadValue,
  storedReader,
  withFieldNames,
} from './compile-path.js';
export {
  contextPath,
  duration,
  environmentName,
  expression,
  filePath,
  type GivenServices,
  itemPath,
  outside,
  path,
  paths,
  serviceOptions,
  timeFormat,
  url,
  withFilePaths,
  withParamScope,
  withTrust,
} from './params.js';
export { type Expression, isExpression, parseExpression } from './parse-expression.js';
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
export { toMillis } from './time.js';
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
