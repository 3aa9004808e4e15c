/** A thrown value as an error. */
export const toError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

/** An error's message with those of its causes: 'fetch failed' alone names no cause. */
export function messageWithCauses(error: Error): string {
  return error.cause === undefined ? error.message : `${error.message} (${messageWithCauses(toError(error.cause))})`;
}

/** The code of an error of Node, such as ENOENT; undefined for any other value. */
export const errorCode = (thrown: unknown): string | undefined =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;

/** Whether an error of `import` or `require` is that of a module that was not found. */
export function isModuleNotFound(thrown: unknown): boolean {
  const code = errorCode(thrown);
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
}

/**
 * The value that a function returns, or the error that it throws: what cannot be read of one candidate must not fail
 * the others, and is thrown again when that candidate is scored. What is thrown and is no error becomes one.
 */
export function valueOrError<V>(read: () => V): V | Error {
  try {
    return read();
  } catch (error) {
    return toError(error);
  }
}
