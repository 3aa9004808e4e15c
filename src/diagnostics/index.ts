/**
 * Problems with their places and codes, and how they are printed.
 *
 * @module
 */

export {
  ABORT_SIGNAL,
  ANYTHING,
  BOOLEAN,
  checkOptions,
  FUNCTION,
  integerFrom,
  oneOf,
  LIST,
  type OptionTypes,
  PORT,
  STRING,
} from './check-options.js';
export { isCoreCode, isWarning, PROBLEM_CODES, type ProblemCode, type Fault, faultOf, FAULTS } from './codes.js';
export {
  describeValue,
  isObject,
  problemJson,
  nameList,
  AssizeError,
  type Place,
  type Problem,
  errorCode,
  isModuleNotFound,
  messageWithCauses,
  thrownText,
  toError,
  valueOrError,
} from './problem.js';
export { type JsonValue, toJsonValue, writableInJson } from './json-value.js';
export { closestName, didYouMean } from './did-you-mean.js';
export { toAssizeError } from './format.js';
export {
  lowerBound,
  copyPlace,
  copyPlaces,
  type DataPath,
  type ItemMarks,
  locate,
  locateWithin,
  type Mark,
  placeOfValue,
  recordPlaces,
  SourceFile,
} from './places.js';
