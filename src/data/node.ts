/**
 * Entry point of `data` for modules that run on Node.
 *
 * @module
 */

export {
  peekStream,
  rowCount,
  RowProblems,
  type TextInput,
} from './candidate-reader.js';
export {
  codecOf,
  DEFAULT_FORMAT,
  FORMAT_TITLES,
  formatByExtension,
  INPUT_FORMATS,
  type InputFormat,
  isByColumn,
  openTable,
  type OpenTable,
} from './codecs.js';
export { parseJsonLine, parseJsonLines, readJsonLines, stripByteOrderMark } from './json/json-lines.js';
export {
  candidatesAfterHeader,
  type CandidateSource,
  checkAbsent,
  type ColumnsRead,
  detectFileFormat,
  reportRowsRead,
  noCandidatesWarning,
  parseCandidates,
  readCandidateChunks,
  readCandidates,
  readFileParts,
  streamCandidates,
  titledFormat,
} from './read-candidates.js';
export { openArrowWriter, openTableWriter } from './output/open-table-writer.js';
export { type ResultColumn, ResultColumns } from './table/duck-vectors.js';
export { readSourceFile } from './read-source-file.js';
export { RowFile } from './row-file.js';
