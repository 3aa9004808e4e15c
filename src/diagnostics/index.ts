/**
 * Problems with their place and code, and how they are printed.
 * What other rooms use of this one.
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
export { isCoreCode, isWarning, PROBLEM_CODES, type ProblemCode } from './codes.js';
export { describeValue, isObject } from './describe-value.js';
export { problemJson } from './problem-json.js';
export { closestName, didYouMean } from './did-you-mean.js';
export { type Fault, faultOf, FAULTS } from './faults.js';
export { toAssizeError } from './format.js';
export { lowerBound } from './lower-bound.js';
export { nameList } from './name-list.js';
export {
  copyPlace,
  copyPlaces,
  type DataPath,
  type ItemMarks,
  locate,
  locateWithin,
  type Mark,
  placeOfValue,
  recordPlaces,
} from './places.js';
export { AssizeError, type Place, type Problem } from './problem.js';
export { SourceFile } from './source-file.js';
export { errorCode, isModuleNotFound, messageWithCauses, toError, valueOrError } from './thrown.js';
