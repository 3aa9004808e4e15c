import type { Child, Score } from '../../contract/index.js';
import { describeValue } from '../../diagnostics/describe-value.js';
import type { ChildUse } from '../../profile/profile.js';
import { recordChild } from '../note-recorder.js';
import { CandidateRefused, type CompiledUnit, type PrepareFailure, type PrepareInput } from '../run-context.js';
import { isTask, type Task } from '../task.js';

/** An entry inside another that is compiled. */
export interface CompiledChild {
  readonly unit: CompiledUnit<unknown>;
  readonly use: ChildUse;
}

/** The entries inside one. */
export class Children {
  readonly #all: ReadonlyMap<Child, CompiledChild>;
  readonly #batch: readonly CompiledChild[];

  constructor(all: ReadonlyMap<Child, CompiledChild>) {
    this.#all = all;
    this.#batch = [...all.values()].filter(({ unit }) => unit.prepares);
  }

  /** Whether any must be prepared for each run. */
  get batch(): boolean {
    return this.#batch.length > 0;
  }

  *prepare(batch: PrepareInput): Task<PrepareFailure | undefined> {
    for (const { unit } of this.#batch) {
      const prepared = unit.prepare(batch);
      const failed = isTask(prepared) ? yield* prepared : prepared;
      if (failed) return failed;
    }
    return undefined;
  }

  /** A child's score as its parent asks it: after its `on_absent`, and with its notes nested under its parent's. */
  score(child: Child): Score<unknown> {
    const found = this.#all.get(child);
    if (!found) throw new TypeError('a child is one of the entries that the params gave');
    const { unit, use } = found;
    const score = unit.score as Score<unknown>;
    const settled = applyOnAbsent(use);
    return (candidate, index, note) => {
      if (note === undefined) return settled(score(candidate, index));
      return recordChild(note, use, (inner) => score(candidate, index, inner), settled);
    };
  }
}

const applyOnAbsent =
  ({ onAbsent, label }: ChildUse) =>
  (value: number | undefined): number | undefined => {
    if (typeof value === 'number') return value;
    // Arithmetic would take null for 0 and '5' for 5: only a unit that says nothing abstains.
    if (value !== undefined)
      throw new TypeError(`${label} gives a number or abstains, and it gave ${describeValue(value)}`);
    if (onAbsent === 'refuse') throw new CandidateRefused(label, 'absent');
    return onAbsent === 'skip' ? undefined : onAbsent;
  };
