/** Data that a reason carries. Values are shown by the reason's template and kept as they are in the JSON explanation. */
export type NoteData = Readonly<Record<string, unknown>>;

/**
 * Receives why a score came out as it did. It is `undefined` in a normal run, so `note?.('aged', { age })` costs
 * nothing, not even its arguments. Asked "why", the engine runs the same function again with a recorder.
 *
 * @param reason one of the reasons that the unit's meta declares; any other is an error of the unit
 * @param data   the values that the reason's template names
 */
export type Note = (reason: string, data?: NoteData) => void;

/** Abstains ("this does not apply here"), saying why. Never the same as scoring 0. */
export function abstain(note: Note | undefined, reason: string, data?: NoteData): undefined {
  note?.(reason, data);
  return undefined;
}
