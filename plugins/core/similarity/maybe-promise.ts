/**
 * Applies a function to a value, or to what a promise resolves to: synchronously where it can, since a run without
 * promises needs no event loop.
 */
export const mapMaybePromise = <A, B>(value: A | Promise<A>, map: (value: A) => B | Promise<B>): B | Promise<B> =>
  value instanceof Promise ? value.then(map) : map(value);
