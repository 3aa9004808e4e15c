import { isDate } from 'node:util/types';

/** Whether a value is plain data at every depth, so that its structured clone is equal to it. */
export function isCloneable(value: unknown, outer: readonly unknown[] = []): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function' && typeof value !== 'symbol';
  if (isDate(value)) return true;
  if (outer.includes(value)) return false; // circular
  const inside = [...outer, value];
  if (Array.isArray(value)) return value.every((item) => isCloneable(item, inside));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  return Object.values(value).every((item) => isCloneable(item, inside));
}
