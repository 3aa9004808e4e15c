/**
 * Entry point of `data` for other modules.
 *
 * @module
 */

export {
  type Column,
  type ColumnData,
  Columns,
  type DictionaryColumn,
  MOST_MILLIS,
  NO_COLUMN,
  type NullableColumn,
  type NumberArray,
  readCell,
} from './columns.js';
export { objectsOf } from './column-objects.js';
export { type CsvLines, readCsvLines } from './csv/csv-columns.js';
export { absentOptions, isNoValueText } from './csv/no-value-cells.js';
export { fieldReader, groupReader, type GroupKey, GroupKeys, groupText, sameGroup, toGroupKey } from './group-keys.js';
export { checkDepth, parseJsonText } from './json/parse-json-with-places.js';
export {
  type OutputCell,
  type OutputColumn,
  type OutputFormat,
  outputFormatOf,
  type StoredRows,
  TableBatch,
  type TableWriter,
} from './output/table-batch.js';
export { checkKeyType, keyTypeOf, type KeyType, numberText } from './output/key-types.js';
export { mergeChunks, mergeColumns } from './merge-columns.js';
export {
  type DocumentLimits,
  MAX_DEPTH,
  type ParsedDocument,
  tooManyValues,
} from './parsed-document.js';
export {
  addCounts,
  columns,
  type ColumnSet,
  columnsOf,
  type ColumnsOptions,
  type DateFacts,
  dateFactsOf,
  keepDateFacts,
  lookAt,
  RowCursor,
  type RowOf,
  rowsOf,
} from './rows.js';
