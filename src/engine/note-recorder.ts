import type { Note, NoteData } from '../contract/index.js';
import type { ChildUse } from '../profile/profile.js';

/** A reason that a unit noted while it was asked why. */
export interface RecordedNote {
  readonly reason: string;
  readonly data: NoteData;
}

/** What was recorded of an entry inside another one. */
export interface RecordedChild {
  readonly use: ChildUse;
  readonly record: NoteRecorder;
  /** As its unit gave it. */
  readonly raw?: number | undefined;
  /** As the entry around it got it: after its `on_absent`. */
  readonly value?: number | undefined;
  /** What was thrown in place of a value. */
  readonly failure?: unknown;
}

/** A note that knows its recorder: a WeakMap of notes costs more than all that is recorded. */
const RECORDER: unique symbol = Symbol('recorder');

interface RecordingNote extends Note {
  readonly [RECORDER]?: NoteRecorder;
}

/** Collects what a unit notes, and what the entries inside it note. */
export class NoteRecorder {
  readonly notes: RecordedNote[] = [];
  readonly children: RecordedChild[] = [];
  readonly note: RecordingNote = Object.assign(
    (reason: string, data: NoteData = {}): void => void this.notes.push({ reason, data }),
    { [RECORDER]: this },
  );
}

/** Asks an entry inside the one whose `note` this is, settles its answer, and files both under that one. */
export function recordChild(
  note: Note,
  use: ChildUse,
  ask: (note: Note) => number | undefined,
  settled: (raw: number | undefined) => number | undefined,
): number | undefined {
  const record = new NoteRecorder();
  const file = (inner: Omit<RecordedChild, 'use' | 'record'>): void =>
    void (note as RecordingNote)[RECORDER]?.children.push({ use, record, ...inner });
  let raw: number | undefined;
  try {
    raw = ask(record.note);
    const value = settled(raw);
    file({ raw, value });
    return value;
  } catch (failure) {
    file({ raw, failure });
    throw failure;
  }
}
