import type { Extent } from '../../text/extent.js';

/**
 * What formats the numbers of one column: to three or four digits, and alike, so that their points stand in a line.
 *
 * @param extent of all that there are, shown or not
 */
export function columnFormatter({ maxMagnitude, integersOnly }: Extent): (value: number) => string {
  if (maxMagnitude >= 1e7 || (maxMagnitude > 0 && maxMagnitude < 0.01))
    return (value) => (value === 0 ? '0' : value.toExponential(2));
  if (integersOnly) return String;
  const decimals = maxMagnitude < 10 ? 3 : maxMagnitude < 100 ? 2 : maxMagnitude < 1000 ? 1 : 0;
  return (value) => value.toFixed(decimals).replace(/^-(0\.?0*)$/, '$1'); // no candidate is glad of a −0.000
}

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar to scale, drawn to an eighth of a column, and filled up to its width. */
export function bar(value: number, full: number, width: number): string {
  const eighths = full > 0 ? Math.round(Math.min(1, Math.max(0, value / full)) * width * 8) : 0;
  return ('█'.repeat(eighths >> 3) + EIGHTHS[eighths & 7]).padEnd(width);
}
