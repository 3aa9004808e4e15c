export { INPUT_FORMATS, type InputFormat, type InputRow } from './input-row.js';
export { type JsonLineBatch, parseJsonLine, parseJsonLines, stripByteOrderMark } from './json/json-lines.js';
export { type JsonParseOptions, parseJson } from './json/parse-json.js';
export type { TextInput } from './line-blocks.js';
export { readAllRows, readRowBatches, readRows } from './read-rows.js';
export { readSourceFile } from './read-source-file.js';
