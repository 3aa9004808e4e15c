import type { Child, Score } from '../../contract/index.js';
import type { ChildUse } from '../../profile/index.js';
import { recordChild } from './note-recorder.js';
import type { CompiledChild, PrepareFailure, PrepareInput } from '../entries/compiled-unit.js';
import { CandidateRefused } from '../failures/run-errors.js';
import { describeWrongValue } from '../tasks/stray-promise.js';
import { isTask, type Task } from '../tasks/task.js';

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

  /** A child's score for its parent: after its `on_absent`, with its notes nested under its parent's. */
  score(child: Child): Score<unknown> {
    const found = this.#all.get(child);
    if (!found) throw new TypeError('a child is one of the entries that the params gave');
    const { unit, use } = found;
    const score = unit.score as Score<unknown>;
    const resolve = applyOnAbsent(use);
    return (candidate, index, note) => {
      if (note === undefined) return resolve(score(candidate, index));
      return recordChild(note, use, (inner) => score(candidate, index, inner), resolve);
    };
  }
}

/** What a parent gets for what its child gives. */
export const applyOnAbsent =
  ({ onAbsent, name }: ChildUse) =>
  (value: number | undefined): number | undefined => {
    if (typeof value === 'number') return value;
    // Arithmetic would take null for 0 and '5' for 5: only undefined abstains.
    if (value !== undefined)
      throw new TypeError(`${name} gives a number or abstains, and it gave ${describeWrongValue(value)}`);
    if (onAbsent === 'refuse') throw new CandidateRefused(name, 'absent');
    return onAbsent === 'skip' ? undefined : onAbsent;
  };
