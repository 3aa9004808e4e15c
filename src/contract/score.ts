/**
 * Scores one candidate: a pure, synchronous function that every veto and scorer gives. It has no effects and keeps no
 * state: two calls give the same.
 *
 * @param candidate the candidate, not to be changed
 * @param index     its position in the candidates of the unit
 * @param note      present only in a run that explains
 * @returns the number (a veto: whether it refuses), or `undefined` to abstain
 */
export type Score<T, V = number> = (candidate: T, index: number, note?: Note) => V | undefined;

/**
 * The result of preparing a batch: the score function, with the memory after the batch where the unit keeps one. A
 * returned error has the effect of a thrown one and costs less: for a state that lasts many runs, such as a model that
 * is not available.
 */
export type Prepared<T, V, M> = Score<T, V> | { readonly score: Score<T, V>; readonly memory: M } | Error;

/** The values of a reason: its template formats them, and the JSON explanation has them unchanged. */
export type NoteData = Readonly<Record<string, unknown>>;

/**
 * Records a reason for a score. It is `undefined` while ranking, so that `note?.('aged', { age })` costs nothing, not
 * even its arguments. To explain, the engine calls the same function again with a recorder.
 *
 * @param reason one of the unit's `reasons`; any other is an error of the unit
 * @param data   the values that the template names
 */
export type Note = (reason: string, data?: NoteData) => void;

/** Notes a reason and abstains: the scorer does not apply to the candidate, which is not a score of 0. */
export function abstain(note: Note | undefined, reason: string, data?: NoteData): undefined {
  note?.(reason, data);
  return undefined;
}
