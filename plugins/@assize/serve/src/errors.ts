/** Converts a thrown value to an Error. */
export const toError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

/** The message of a thrown value, with those of its causes. */
export function messageWithCauses(thrown: unknown): string {
  const { message, cause } = toError(thrown);
  return cause === undefined ? message : `${message} (${messageWithCauses(cause)})`;
}
