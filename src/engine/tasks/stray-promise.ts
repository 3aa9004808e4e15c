import { describeValue } from '../../diagnostics/index.js';
import { isPromise } from './task.js';

/**
 * A value that is no score, and may be the promise of one. It is not awaited, so that its rejection would end the process:
 * it is taken note of here.
 */
export function ignorePromise(value: unknown): void {
  try {
    if (isPromise(value)) value.then(undefined, () => {});
  } catch {
    // a `then` that cannot be read, or throws, is no promise
  }
}

/** Describes a value where something else was expected; of a promise it adds where waiting is possible. */
export function describeWrongValue(value: unknown): string {
  ignorePromise(value);
  const text = describeValue(value);
  return text === 'a promise'
    ? 'a promise: what has to wait is done in prepare, or by scorer(async …), and its score is synchronous'
    : text;
}

/** Whether a function is declared `async`: then all that it gives is promises. */
export const isAsyncFunction = (value: unknown): boolean =>
  typeof value === 'function' && Object.prototype.toString.call(value) === '[object AsyncFunction]';
