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
