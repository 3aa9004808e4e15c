/**
 * The exports of `expression` for other modules.
 *
 * @module
 */

export {
  type ExpressionFunction,
  expressionFunctions,
  type ExpressionPart,
  expressionPartAt,
} from './describe-expression.js';
export { compileClosures } from './cel/compiler.js';
export { type CheckedNode, partsOf } from './cel/checked-node.js';
export { RowText } from './cel/row-text.js';
export {
  type Answer,
  type FieldText,
  type RowChild,
  type RowFormula,
  type RowSource,
  TextNames,
  callsClosure,
  isPlainName,
  MOST_COMPARED,
} from './cel/row-writer.js';
export {
  DEFAULT_STEPS,
  type BoundExpression,
  CANDIDATE_VARIABLE,
  ExpressionError,
  ExpressionEvaluationError,
  type ExpressionProblem,
  type ExpressionWarning,
  type ExpressionScope,
  ExpressionStepsError,
  type FieldType,
  LET_BINDINGS,
  type NamedExpressions,
  RUN_VARIABLES,
  type VariableBinding,
  type VariableBindings,
  type VariableType,
} from './scope.js';
export {
  checkExpression,
  evaluateExpression,
  type Expression,
  isExpression,
  parseExpression,
} from './parse-expression.js';
export {
  generatedOrPlain,
  closureReader,
  compileCandidatePath,
  compileDifference,
  compilePath,
  compileSteps,
  isPathReader,
  type FindDifference,
  type PathReader,
  type ReadValue,
  storedReader,
  FieldNames,
  withFieldNames,
  readBoolean,
  readFinite,
  readList,
  readMap,
  readNumber,
  readText,
  readTexts,
  typeMismatch,
} from './compile-path.js';
export {
  environmentName,
  filePath,
  type GivenServices,
  outside,
  reachOf,
  serviceOptions,
  url,
  withFilePaths,
  withTrust,
  contextPath,
  duration,
  expression,
  itemPath,
  path,
  paths,
  timeFormat,
  PARAM_SCOPE,
  withParamScope,
} from './params.js';
export {
  formatPath,
  parsePath,
  PathError,
  type PathStep,
  isMap,
  ownValue,
  setOwn,
} from './path.js';
export { compileTimeFormat, guessTimeFormats, type TimeFormat, isTime, toMillis } from './time.js';
