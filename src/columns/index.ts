/**
 * Candidates by column: rows that are objects only when they are read.
 * What other rooms use of this one.
 *
 * @module
 */

export {
  type Column,
  type ColumnData,
  type DictionaryColumn,
  NO_COLUMN,
  type NullableColumn,
  type NumberArray,
  readColumn,
} from './column.js';
export { columns, type ColumnSet, type ColumnsOptions, type RowOf } from './column-candidates.js';
export { Columns } from './columns.js';
export { RowCursor } from './row-cursor.js';
export { columnsOf, lookAt, rowsOf } from './rows.js';
