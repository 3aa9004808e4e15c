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
