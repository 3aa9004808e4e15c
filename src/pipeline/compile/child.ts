import type { Child, Score } from '../../contract/index.js';
import { nested } from '../../explain/recorder.js';
import { describeValue } from '../../expression/describe.js';
import type { ChildUse } from '../../profile/profile.js';
import { type Batch, type Compiled, Refused, type Unprepared } from '../../stages/plan.js';
import { isSteps, type Steps } from '../../stages/wait.js';

/** An entry inside another that is compiled. */
export interface CompiledChild {
  readonly unit: Compiled<unknown>;
  readonly use: ChildUse;
}

/** The entries inside one. */
export class Children {
  readonly #all: ReadonlyMap<Child, CompiledChild>;
  readonly #batch: readonly CompiledChild[];

  constructor(all: ReadonlyMap<Child, CompiledChild>) {
    this.#all = all;
    this.#batch = [...all.values()].filter(({ unit }) => unit.batch);
  }

  /** Whether any must be prepared for each run. */
  get batch(): boolean {
    return this.#batch.length > 0;
  }

  *prepare(batch: Batch): Steps<Unprepared | undefined> {
    for (const { unit } of this.#batch) {
      const prepared = unit.prepare(batch);
      const failed = isSteps(prepared) ? yield* prepared : prepared;
      if (failed) return failed;
    }
    return undefined;
  }

  /** A child's score as its parent asks it: after its `on_absent`, and with its notes nested under its parent's. */
  score(child: Child): Score<unknown> {
    const found = this.#all.get(child);
    if (!found) throw new TypeError('a child is one of the entries that the params gave');
    const { unit, use } = found;
    const score = unit.stable as Score<unknown>;
    const settled = settling(use);
    return (candidate, index, note) => {
      if (note === undefined) return settled(score(candidate, index));
      return nested(note, use, (inner) => score(candidate, index, inner), settled);
    };
  }
}

const settling =
  ({ onAbsent, label }: ChildUse) =>
  (value: number | undefined): number | undefined => {
    if (typeof value === 'number') return value;
    // Arithmetic would take null for 0 and '5' for 5: only a unit that says nothing abstains.
    if (value !== undefined)
      throw new TypeError(`${label} gives a number or abstains, and it gave ${describeValue(value)}`);
    if (onAbsent === 'refuse') throw new Refused(label, 'absent');
    return onAbsent === 'skip' ? undefined : onAbsent;
  };
