const PROTOTYPES: readonly object[] = [Object.prototype, Array.prototype, String.prototype, Number.prototype];
const INDEX = /^\d+$/;

/**
 * Whether a value may have something under this key that is no field of its own: `constructor` anything, `map` a list,
 * `length` and `0` a string.
 *
 * Only such keys are asked with `Object.hasOwn`: asking for all would cost nine times as much, and any other key that
 * a value doesn't own reads as `undefined` anyway.
 */
export const mayBeInherited = (key: string | number): boolean =>
  typeof key === 'number' || INDEX.test(key) || PROTOTYPES.some((prototype) => key in prototype);

/** Whether something can have fields or elements. */
export const isObject = (value: unknown): value is Readonly<Record<string | number, unknown>> =>
  typeof value === 'object' && value !== null;

/** The own value under a key; absent where it is null, and of what is not an object. */
export function ownValue(from: unknown, key: string | number): unknown {
  return isObject(from) && Object.hasOwn(from, key) ? (from[key] ?? undefined) : undefined;
}
