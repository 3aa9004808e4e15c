/**
 * For authors of packages that add commands to `assize`.
 *
 * A package exports `verbs: readonly Verb[]` from its subpath `./verbs`, lists `"assize": { "verbs": { "NAME": "SUMMARY" } }`
 * in its package.json, and has `assize` as a peer dependency. In a project that depends on the package, `assize --help`
 * lists the command, and `assize NAME` runs it.
 *
 * @module
 */

export type { Verb } from './cli/index.js';

// The streams of a command, its problems and its exit code.
export { Ending, EXIT_CODES, type Io, type OutputStyle, usageError, writeProblems } from './cli/index.js';

// Options, as other commands have them.
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
} from './cli/index.js';

// What an action reads, and rankings as those of `assize rank`.
export {
  candidateSource,
  openRanking,
  type RankingOptions,
  readCandidateFile,
  readContext,
  type TableOptions,
  isForTable,
  withRanking,
  withTable,
} from './cli/index.js';

// Output: JSON, tables, and texts that fit the terminal.
export { escapeInvisible, type TableColumn, tableText, truncateEnd, wrap } from './base/index.js';
export { createStyler, jsonText, type Styler } from './cli/index.js';
