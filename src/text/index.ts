/**
 * Text for terminals: widths, wrapping, numbers, tables.
 *
 * @module
 */

export {
  displayWidth,
  escapeInvisible,
  escapeInvisibleInJson,
  escapeInvisibleInLine,
  isUnspaced,
  wordRuns,
  truncateEnd,
  truncateMiddle,
  wrap,
  wrapToLines,
} from './wrap.js';
export {
  type Extent,
  extentOf,
  NO_EXTENT,
  unionExtent,
  formatBeyond,
  formatNumber,
  formatOrdinal,
  formatSigned,
  bars,
  type PlotPoint,
  sparkline,
} from './numbers.js';
export { type ColumnAlign, layoutTable, type RenderOptions, type TableRow, type TextStyler } from './table.js';
