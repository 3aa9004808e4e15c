import { formatNumber } from 'assize/internal';

/** Whether a value is a map as in YAML and JSON: an object that is not a list. */
export const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The own value under a key of a map; undefined if it is null or missing. */
export const ownValue = (from: unknown, key: string): unknown =>
  isMap(from) && Object.hasOwn(from, key) ? (from[key] ?? undefined) : undefined;

/** Formats a count with separators: `1,832`. */
export const count = (n: number): string => n.toLocaleString('en-US');

/** Formats a count with its noun: `1 query`, `1,832 candidates`. */
export const counted = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`;

/** Formats a number with its sign. */
export const formatSigned = (value: number): string =>
  value > 0 ? `+${formatNumber(value)}` : value < 0 ? `−${formatNumber(-value)}` : '0';
