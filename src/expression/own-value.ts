const PROTOTYPES: readonly object[] = [Object.prototype, Array.prototype, String.prototype, Number.prototype];
const INDEX = /^\d+$/;

/**
 * Whether a value may inherit something under this key: `constructor` in any value, `map` in a list, `length` and `0`
 * in a string.
 *
 * Only such keys are checked with `Object.hasOwn`: to check all would cost nine times as much, and any other key that a
 * value doesn't own reads as `undefined` anyway.
 */
export const mayBeInherited = (key: string | number): boolean =>
  typeof key === 'number' || INDEX.test(key) || PROTOTYPES.some((prototype) => key in prototype);

/** Whether something can have fields or elements. */
export const isObject = (value: unknown): value is Readonly<Record<string | number, unknown>> =>
  typeof value === 'object' && value !== null;

/** The own value under a key; undefined where it is null, and where the value is no object. */
export function ownValue(from: unknown, key: string | number): unknown {
  return isObject(from) && Object.hasOwn(from, key) ? (from[key] ?? undefined) : undefined;
}
