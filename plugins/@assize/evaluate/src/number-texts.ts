import { formatNumber } from 'assize/internal';

/** Formats a count with separators: `1,832`. */
export const count = (n: number): string => n.toLocaleString('en-US');

/** Formats a count with its noun: `1 query`, `1,832 candidates`. */
export const counted = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`;

/** Formats a number with its sign. */
export const formatSigned = (value: number): string =>
  value > 0 ? `+${formatNumber(value)}` : value < 0 ? `−${formatNumber(-value)}` : '0';
