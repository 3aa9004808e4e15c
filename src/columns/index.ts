/**
 * Candidates by column: rows that are objects only when they are read.
 * What other rooms use of this one.
 *
 * @module
 */

export {
  type Column,
  type ColumnData,
  dateColumn,
  type DateColumn,
  type DictionaryColumn,
  MOST_MILLIS,
  NO_COLUMN,
  type NullableColumn,
  type NumberArray,
  readCell,
  readColumn,
} from './column.js';
export { columns, type ColumnSet, type ColumnsOptions, type RowOf } from './column-candidates.js';
export { Columns } from './columns.js';
export { RowCursor } from './row-cursor.js';
export {
  addCounts,
  columnsOf,
  type DateFacts,
  dateFactsOf,
  GrowingDateFacts,
  keepDateFacts,
  lookAt,
  rowsOf,
} from './rows.js';
