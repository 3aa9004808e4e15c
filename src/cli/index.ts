/**
 * What verbs of packages use, exported as `assize/verbs`.
 *
 * @module
 */

export type { Verb } from './packages/load-verbs.js';
export { createStyler, type Styler } from './terminal/styler.js';
export { Ending, EXIT_CODES, type Io, type OutputStyle } from './terminal/io.js';
export { usageError, writeProblems } from './terminal/problems.js';
export {
  choiceOption,
  collect,
  type ContextOptions,
  formatOption,
  type InputOptions,
  integerOption,
  invalidValue,
  numberOption,
  profileArgument,
  untrustedOption,
  withContext,
  withInput,
  withInputOptions,
} from './options.js';
export {
  candidateSource,
  openRanking,
  type RankingOptions,
  readCandidateFile,
  readContext,
  withRanking,
} from './verb-kit.js';
export { isForTable, type TableOptions, withTable } from './table-options.js';
export { jsonText } from './output/json.js';
