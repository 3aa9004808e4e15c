import { isDate } from 'node:util/types';

/** Whether a value is data through and through, so that a copy of it in another thread is as good as itself. */
export function isCloneable(value: unknown, outer: readonly unknown[] = []): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function' && typeof value !== 'symbol';
  if (isDate(value)) return true;
  if (outer.includes(value)) return false; // it goes round in a circle
  const inside = [...outer, value];
  if (Array.isArray(value)) return value.every((item) => isCloneable(item, inside));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  return Object.values(value).every((item) => isCloneable(item, inside));
}
