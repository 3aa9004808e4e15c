/**
 * The value that a function returns, or the error that it throws: what cannot be read of one candidate must not fail
 * the others, and is thrown again when that candidate is scored. What is thrown and is no error becomes one.
 */
export function valueOrError<V>(read: () => V): V | Error {
  try {
    return read();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
