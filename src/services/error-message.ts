/** A thrown value as an error. */
export const toError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

/** An error's message with those of its causes: 'fetch failed' alone says nothing. */
export function messageWithCauses(error: Error): string {
  return error.cause === undefined ? error.message : `${error.message} (${messageWithCauses(toError(error.cause))})`;
}
