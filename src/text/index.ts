/**
 * Text for terminals: widths, wrapping, numbers, tables.
 * What other rooms use of this one.
 *
 * @module
 */

export { displayWidth } from './display-width.js';
export { escapeInvisible, escapeInvisibleInJson, escapeInvisibleInLine } from './escape-invisible.js';
export { type Extent, extentOf, NO_EXTENT, unionExtent } from './extent.js';
export { formatBeyond, formatNumber, formatOrdinal, formatSigned } from './format-number.js';
export { bars, type PlotPoint, sparkline } from './sparkline.js';
export { type ColumnAlign, layoutTable, type RenderOptions, type TableRow, type TextStyler } from './table.js';
export { isUnspaced, wordRuns } from './word-runs.js';
export { truncateEnd, truncateMiddle, wrap, wrapToLines } from './wrap.js';
