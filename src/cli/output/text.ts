import { displayWidth } from '../../text/display-width.js';
import { wrap } from '../../text/wrap.js';

export { truncateEnd, truncateMiddle, wrap } from '../../text/wrap.js';

/** A text in lines of at most so many columns, where its words allow it, each indented alike. */
export const paragraph = (text: string, width: number, indent: string): string =>
  wrap(text, width - indent.length, '')
    .split('\n')
    .map((line) => indent + line)
    .join('\n');

/** `1,832`. */
export const count = (n: number): string => n.toLocaleString('en-US');

/** `1 candidate`, `1,832 candidates`. */
export const counted = (n: number, noun: string): string => `${count(n)} ${noun}${n === 1 ? '' : 's'}`;

/** How wide the widest of some cells is. Not by spreading: there may be more of them than a call may have arguments. */
export const maxWidth = (cells: readonly string[]): number =>
  cells.reduce((most, cell) => Math.max(most, displayWidth(cell)), 0);
