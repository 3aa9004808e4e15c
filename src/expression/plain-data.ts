import { isObject } from '../base/index.js';

const PROTOTYPES: readonly object[] = [
  Object.prototype,
  Array.prototype,
  String.prototype,
  Number.prototype,
  Date.prototype,
];
const INDEX = /^\d+$/;

/**
 * Whether a value may inherit a property under this key: `constructor` in any value, `map` in a list, `length` and `0`
 * in a string.
 *
 * Only such keys are checked with `Object.hasOwn`. Checking all keys would cost nine times as much, and any other key that
 * a value does not own reads as `undefined` anyway.
 */
export const mayBeInherited = (key: string | number): boolean =>
  typeof key === 'number' || INDEX.test(key) || PROTOTYPES.some((prototype) => key in prototype);

/**
 * Converts a value for paths and expressions. A Date becomes milliseconds since 1970, so that a date is the same number in
 * an object, a column and a database. An invalid Date is not converted, so that an error can name it. Null is absent.
 */
export function asRead(value: unknown): unknown {
  if (!(value instanceof Date)) return value ?? undefined;
  const millis = value.getTime();
  return Number.isNaN(millis) ? value : millis;
}

/** The own value under a key; undefined if it is null or the container is not an object. */
export function ownValue(from: unknown, key: string | number): unknown {
  return isObject(from) && Object.hasOwn(from, key) ? (from[key] ?? undefined) : undefined;
}

/** Whether a value is a map as in YAML and JSON: an object that is not a list. */
export const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) && !Array.isArray(value);

/** Sets an own key. `__proto__` becomes an ordinary key and never a prototype. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[key] = value;
  }
}
