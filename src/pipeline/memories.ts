import { AssizeError, type MemoryFormat } from '../contract/index.js';
import { failure } from '../document/failure.js';
import type { MemoryUse } from '../profile/profile.js';
import { MemoryFile, type MemoryOwner, replaceAll } from '../services/index.js';
import { causeOf } from '../stages/failures.js';
import type { Learnt } from '../stages/plan.js';
import { andThen, type Soon, waitFor } from '../stages/wait.js';

/** The memory of one unit that outlives the process. */
interface Lasting {
  readonly slot: number;
  readonly file: MemoryFile;
  readonly format: MemoryFormat<never>;
  readonly params: never;
  readonly empty: unknown;
}

/** Who waits, where files are read and written. */
const FILES = { entry: 'its files', stage: 'memory' };

/** The memories that the engine holds between runs, by slot; some of them in files. */
export class Memories {
  #held: ReadonlyMap<number, unknown> = new Map();
  readonly #lasting: Lasting[] = [];

  /** Whether any unit keeps a memory, so that runs have to queue. */
  get any(): boolean {
    return this.#held.size > 0;
  }

  /** Whether any of them lives in a file. */
  get lasting(): boolean {
    return this.#lasting.length > 0;
  }

  of(slot: number): unknown {
    return this.#held.get(slot);
  }

  /** All of them by slot, as they are now: what is learnt later is not in it. */
  get held(): ReadonlyMap<number, unknown> {
    return this.#held;
  }

  hold(slot: number, memory: unknown): void {
    this.#held = new Map(this.#held).set(slot, memory);
  }

  /** Puts the memory of a slot into a file. */
  addFile(slot: number, use: MemoryUse, owner: MemoryOwner, format: MemoryFormat<never>, params: never): void {
    const file = new MemoryFile(use.file, owner, use);
    this.#lasting.push({ slot, file, format, params, empty: this.of(slot) });
  }

  /** What is only looked at, as a run otherwise, neither reads nor writes a file. */
  leaveFiles(): void {
    this.#lasting.length = 0;
  }

  /**
   * Before a run: what other processes have learnt meanwhile. A missing file is an empty memory.
   *
   * @param learns whether the run will want to write, which is found out before anything is paid for
   * @throws AssizeError with the place of each `memory` that cannot be used
   */
  refresh(learns: boolean): Soon<void> {
    if (!this.lasting) return undefined;
    const read = each(this.#lasting, async (one) => {
      const bytes = await one.file.read();
      if (learns) await one.file.checkWritable();
      if (bytes !== undefined) this.hold(one.slot, bytes === 'empty' ? one.empty : restored(one, bytes));
    });
    return waitFor(FILES, read);
  }

  /** After a run that succeeded: what its units learnt, on the disk first. Where that fails, nothing was learnt. */
  keep(all: Learnt): Soon<void> {
    const learnt = new Map(all);
    return andThen(this.#write(learnt), () => void (this.#held = new Map([...this.#held, ...learnt])));
  }

  #write(learnt: ReadonlyMap<number, unknown>): Soon<void> {
    const changed = this.#lasting.filter(({ slot }) => learnt.has(slot) && learnt.get(slot) !== this.of(slot));
    if (changed.length === 0) return undefined;
    const memoryOf = ({ slot, format }: Lasting): Uint8Array => format.store(learnt.get(slot) as never);
    return waitFor(FILES, replaceAll(changed.map((one) => ({ file: one.file, memory: memoryOf(one) }))));
  }
}

function restored({ file, format, params }: Lasting, bytes: Uint8Array): unknown {
  try {
    return format.restore(bytes, params);
  } catch (error) {
    throw file.useless(causeOf(error));
  }
}

/** Does the same for each, and says all that goes wrong at once. */
async function each(all: readonly Lasting[], work: (one: Lasting) => Promise<void>): Promise<void> {
  const outcomes = await Promise.allSettled(all.map(work));
  const problems = outcomes.flatMap((outcome) => {
    if (outcome.status === 'fulfilled') return [];
    if (outcome.reason instanceof AssizeError) return outcome.reason.problems;
    throw outcome.reason;
  });
  if (problems.length > 0) throw failure(problems);
}
