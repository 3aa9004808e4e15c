/**
 * For authors of packages that add commands to `assize`.
 *
 * A package exports `verbs: readonly Verb[]` from its subpath `./verbs`, lists `"assize": { "verbs": { "NAME": "SUMMARY" } }`
 * in its package.json, and has `assize` as a peer dependency. In a project that depends on the package, `assize --help`
 * lists the command, and `assize NAME` runs it.
 *
 * @module
 */

export type { Verb } from './cli/verb.js';

// The streams of a command, its problems and its exit code.
export { Ending, EXIT_CODES, type Io, type OutputStyle } from './cli/terminal/io.js';
export { usageError, writeProblems } from './cli/terminal/problems.js';

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
} from './cli/options.js';

// What an action reads, and rankings as those of `assize rank`.
export {
  candidateSource,
  openRanking,
  type RankingOptions,
  readCandidateFile,
  readContext,
  withRanking,
} from './cli/verb-kit.js';

// Output: JSON, tables, and texts that fit the terminal.
export { escapeInvisible, type TableColumn, tableText, truncateEnd, wrap } from './base/index.js';
export { jsonText } from './cli/output/json.js';
export { createStyler, type Styler } from './cli/terminal/styler.js';
