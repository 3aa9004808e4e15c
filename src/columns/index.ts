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
  Columns,
} from './columns.js';
export {
  columns,
  type ColumnSet,
  type ColumnsOptions,
  type RowOf,
  RowCursor,
  addCounts,
  columnsOf,
  type DateFacts,
  dateFactsOf,
  GrowingDateFacts,
  keepDateFacts,
  lookAt,
  rowsOf,
} from './rows.js';
