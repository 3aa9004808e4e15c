export { FORMAT_TITLES, INPUT_FORMATS, type InputFormat } from './codecs.js';
export { type JsonLineBatch, parseJsonLine, parseJsonLines, stripByteOrderMark } from './json/json-lines.js';
export { RowProblems, type TextInput } from './candidate-reader.js';
export { readSourceFile } from './read-source-file.js';
