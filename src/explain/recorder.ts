import type { Note, NoteData } from '../contract/index.js';

/** A reason that a unit noted while it was asked why. */
export interface Noted {
  readonly reason: string;
  readonly data: NoteData;
}

/** What was recorded of an entry inside another one. */
export interface Inner {
  readonly label: string;
  readonly value: number | undefined;
  readonly record: Recorder;
}

const recorders = new WeakMap<Note, Recorder>();

/** Collects what a unit notes, and what the entries inside it note. */
export class Recorder {
  readonly notes: Noted[] = [];
  readonly inside: Inner[] = [];
  readonly note: Note = (reason, data = {}) => void this.notes.push({ reason, data });

  constructor() {
    recorders.set(this.note, this);
  }
}

/** Asks an entry inside the one whose `note` this is, and files what it notes under it. */
export function nested(note: Note, label: string, ask: (note: Note) => number | undefined): number | undefined {
  const record = new Recorder();
  const value = ask(record.note);
  recorders.get(note)?.inside.push({ label, value, record });
  return value;
}
