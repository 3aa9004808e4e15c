export { cut, shorten, wrap } from '../document/fit.js';

/** `1,832`. */
export const count = (n: number): string => n.toLocaleString('en-US');

/** `1 candidate`, `1,832 candidates`. */
export const counted = (n: number, noun: string): string => `${count(n)} ${noun}${n === 1 ? '' : 's'}`;
