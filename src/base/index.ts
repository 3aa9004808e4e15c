/**
 * The exports of `base` for other modules.
 *
 * @module
 */

export { checkOptions, isOfType, type OptionType, type OptionTypes } from './check-options.js';
export { type Fault, faultOf, isCoreCode, isWarning, PROBLEM_CODES, type ProblemCode } from './codes.js';
export { closestName, didYouMean } from './did-you-mean.js';
export { compareByPlace, formatProblem, formatProblems, toAssizeError } from './format.js';
export { type JsonValue, roundNumbers, snakeCaseKeys, toJsonValue, writableInJson } from './json-value.js';
export {
  ExactSum,
  count,
  counted,
  type Extent,
  extentOf,
  formatBeyond,
  formatNumber,
  formatOrdinal,
  formatSigned,
  NO_EXTENT,
  type PlotPoint,
  sparkline,
  unionExtent,
} from './numbers.js';
export {
  copyPlace,
  copyPlaces,
  type DataPath,
  type ItemMarks,
  locate,
  locateWithin,
  lowerBound,
  type Mark,
  placeOfValue,
  recordPlaces,
  SourceFile,
} from './places.js';
export {
  AssizeError,
  describeValue,
  errorCode,
  isModuleNotFound,
  isObject,
  messageWithCauses,
  nameList,
  type Place,
  type Problem,
  problemJson,
  thrownText,
  toError,
  valueOrError,
} from './problem.js';
export {
  type ColumnAlign,
  lastColumn,
  layoutTable,
  type RenderOptions,
  type TableColumn,
  type TableRow,
  tableText,
  type TextStyler,
} from './table.js';
export {
  displayWidth,
  escapeInvisible,
  escapeInvisibleInJson,
  escapeInvisibleInLine,
  isUnspaced,
  maxWidth,
  truncateEnd,
  truncateMiddle,
  wordRuns,
  wrap,
  wrapToLines,
} from './wrap.js';
