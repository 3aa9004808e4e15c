/** Whatever was thrown, as an error. */
export const toError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

/** What went wrong, with the reasons underneath: 'fetch failed' alone helps nobody. */
export function messageWithCauses(error: Error): string {
  return error.cause === undefined ? error.message : `${error.message} (${messageWithCauses(toError(error.cause))})`;
}
