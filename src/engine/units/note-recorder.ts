import type { Note, NoteData } from '../../sdk/index.js';
import type { ChildUse } from '../../profile/index.js';

/** A reason that a unit noted during an explanation. */
export interface RecordedNote {
  readonly reason: string;
  readonly data: NoteData;
}

/** The recorded evaluation of an entry inside another one. */
export interface RecordedChild {
  readonly use: ChildUse;
  readonly record: NoteRecorder;
  /** The number that its unit returned. */
  readonly raw?: number | undefined;
  /** The number that its parent received, after its `on_absent`. */
  readonly value?: number | undefined;
  /** The error that was thrown instead of a value. */
  readonly failure?: unknown;
}

/** The key of a note's recorder. A WeakMap of notes would cost more than recording. */
const RECORDER: unique symbol = Symbol('recorder');

interface RecordingNote extends Note {
  readonly [RECORDER]?: NoteRecorder;
}

/** Collects the notes of a unit and of the entries inside it. */
export class NoteRecorder {
  readonly notes: RecordedNote[] = [];
  readonly children: RecordedChild[] = [];
  readonly note: RecordingNote = Object.assign(
    (reason: string, data: NoteData = {}): void => void this.notes.push({ reason, data }),
    { [RECORDER]: this },
  );
}

/** Computes the score of an entry inside another one and records it under the parent's `note`. */
export function recordChild(
  note: Note,
  use: ChildUse,
  score: (note: Note) => number | undefined,
  resolve: (raw: number | undefined) => number | undefined,
): number | undefined {
  const record = new NoteRecorder();
  const add = (inner: Omit<RecordedChild, 'use' | 'record'>): void =>
    void (note as RecordingNote)[RECORDER]?.children.push({ use, record, ...inner });
  let raw: number | undefined;
  try {
    raw = score(record.note);
    const value = resolve(raw);
    add({ raw, value });
    return value;
  } catch (failure) {
    add({ raw, failure });
    throw failure;
  }
}

/** Replaces the entries that were recorded inside one by others. */
export function renameRecorded(note: Note, uses: ReadonlyMap<ChildUse, ChildUse>): void {
  const rename = ({ children }: NoteRecorder): void => {
    for (const [k, child] of children.entries()) {
      children[k] = { ...child, use: uses.get(child.use) ?? child.use };
      rename(child.record);
    }
  };
  const record = (note as RecordingNote)[RECORDER];
  if (record) rename(record);
}
