/** A change that is not made, with its reason in words. */
export class NotSavedError extends Error {
  override readonly name = 'NotSavedError';
}
