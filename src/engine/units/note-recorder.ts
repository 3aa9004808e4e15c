import type { Child, GroupedRun, GroupedScores, Note, NoteData, Score } from '../../sdk/index.js';
import type { ChildUse } from '../../profile/index.js';
import type { CompiledChild, CompiledUnit, PrepareFailure, PrepareInput } from '../entries.js';
import { CandidateRefused } from '../failures.js';
import { describeWrongNumber, isTask, type Task } from '../tasks.js';

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
function recordChild(
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

/** The method of a unit that can be prepared for many groups at once. */
export interface PreparesGroups {
  prepareGroups?(params: unknown, run: GroupedRun): GroupedScores;
}

/** The entries inside a unit. */
export class Children {
  readonly #all: ReadonlyMap<Child, CompiledChild>;
  readonly #prepared: readonly CompiledChild[];
  /** In the order of the params. */
  readonly list: readonly CompiledChild[];

  constructor(all: ReadonlyMap<Child, CompiledChild>) {
    this.#all = all;
    this.list = [...all.values()];
    this.#prepared = this.list.filter(({ unit }) => unit.prepares);
  }

  /** Whether any must be prepared for each run. */
  get prepares(): boolean {
    return this.#prepared.length > 0;
  }

  *prepare(input: PrepareInput): Task<PrepareFailure | undefined> {
    for (const { unit } of this.#prepared) {
      const prepared = unit.prepare(input);
      const failed = isTask(prepared) ? yield* prepared : prepared;
      if (failed) return failed;
    }
    return undefined;
  }

  /** Only if its children are expressions: another unit may use its index in the group. */
  groupsPreparer(params: unknown, unit: PreparesGroups): CompiledUnit<unknown>['prepareGroups'] {
    if (!unit.prepareGroups || this.list.some(({ use }) => use.use.kind !== 'expr')) return undefined;
    const child = (one: Child): Score<unknown> => this.score(one);
    return (rows) => {
      const column = (one: Child): Float64Array => rows.column(this.#find(one).unit, child(one));
      return unit.prepareGroups!(params, { ends: rows.ends, column, child });
    };
  }

  /** A child's score function for its parent: `on_absent` is applied, and notes are nested under the parent's. */
  score(child: Child): Score<unknown> {
    const { unit, use } = this.#find(child);
    const score = unit.score as Score<unknown>;
    const resolve = applyOnAbsent(use);
    return (candidate, index, note) => {
      if (note === undefined) return resolve(score(candidate, index));
      return recordChild(note, use, (inner) => score(candidate, index, inner), resolve);
    };
  }

  /** @throws TypeError if the child is not one of the params */
  #find(child: Child): CompiledChild {
    const found = this.#all.get(child);
    if (!found) throw new TypeError('a child must be one of the entries in the params');
    return found;
  }
}

/** The value that a parent receives for the value of its child. */
export const applyOnAbsent =
  ({ onAbsent, name }: ChildUse) =>
  (value: number | undefined): number | undefined => {
    if (typeof value === 'number') return value;
    // Only undefined abstains: arithmetic would treat null as 0 and '5' as 5.
    if (value !== undefined)
      throw new TypeError(
        `expected a number from ${name}, or undefined to abstain; found ${describeWrongNumber(value)}`,
      );
    if (onAbsent === 'refuse') throw new CandidateRefused(name, 'absent');
    return onAbsent === 'skip' ? undefined : onAbsent;
  };
