export type { TextInput } from './blocks.js';
export { failure } from './failure.js';
export { readSource } from './files.js';
export { type FormatOptions, formatProblem, formatProblems } from './format.js';
export { type JsonOptions, parseJson } from './json.js';
export { type LineRows, lineRow, lineRows, withoutMark } from './line-row.js';
export {
  type ContainerMarks,
  copyPlace,
  copyPlaces,
  type DataPath,
  type ItemMarks,
  locate,
  locateWithin,
  type Mark,
  placeOf,
  placeOfKey,
  placeOfValue,
  placeWithin,
  setPlaces,
} from './places.js';
export { readDocument } from './read-document.js';
export { ROW_FORMATS, type Row, type RowFormat } from './row.js';
export { readAllRows, readRowParts, readRows } from './rows.js';
export { SourceFile } from './source.js';
export type { Parsed } from './yaml.js';
