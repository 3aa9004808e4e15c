/** An error becomes a value: one candidate's must not be that of all. */
export function valueOrError<V>(make: () => V): V | Error {
  try {
    return make();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
