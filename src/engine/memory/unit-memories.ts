import type { UnitClass } from '../../contract/index.js';
import type { ClassUse, EntryMemoryFile } from '../../profile/profile.js';
import { MemoryStore } from './memory-store.js';

/** One use of a unit with a memory. */
interface UnitMemory {
  readonly entry: string;
  readonly slot: number;
  readonly unit: UnitClass;
  readonly params: never;
  /** What its memory is made with; undefined where the unit does not say. */
  readonly madeWith: () => string | undefined;
}

/** The memories of a profile's units, by where in the profile they are used. */
export class UnitMemories {
  readonly store = new MemoryStore();
  readonly #uses = new Map<string, UnitMemory>();

  /** Gives the unit in a slot its memory, where it keeps one. */
  add(
    slot: number,
    where: readonly string[],
    { unit, plugin, name, params: given }: ClassUse,
    fingerprint: ((params: unknown) => string) | undefined,
    memory: EntryMemoryFile | undefined,
  ): void {
    const { memory: remembers } = unit.meta;
    if (!remembers) return;
    const params = given as never;
    const madeWith = (): string | undefined => fingerprint?.(params);
    this.store.set(slot, remembers.empty(params));
    this.#uses.set(where.join('/'), { entry: where[1] ?? '', slot, unit, params, madeWith });
    if (!memory || !remembers.file) return;
    const owner = { unit: `${plugin}/${name}`, version: remembers.file.version, madeWith: madeWith() ?? '' };
    this.store.addFile(slot, memory, owner, remembers.file, params);
  }

  /**
   * Starts from the memories of another profile's units, and leaves files alone. An entry that has changed starts from
   * one that is made with the same, under the limits of its new params; of another one it starts empty.
   */
  adopt(other: UnitMemories, memories: ReadonlyMap<number, unknown>, changed: ReadonlySet<string>): void {
    this.store.leaveFiles();
    for (const [where, { entry, slot, unit, params, madeWith }] of this.#uses) {
      const theirs = other.#uses.get(where);
      if (theirs?.unit !== unit) continue;
      const memory = memories.get(theirs.slot);
      if (!changed.has(entry)) this.store.set(slot, memory);
      else if (madeWith() !== undefined && madeWith() === theirs.madeWith())
        this.store.set(slot, relimited(unit, memory, params));
    }
  }
}

/** A memory under other params, as a file of it would be read; empty where it cannot be one of theirs. */
function relimited({ meta }: UnitClass, memory: unknown, params: never): unknown {
  const format = meta.memory?.file;
  if (!format) return memory;
  try {
    return format.restore(format.store(memory as never), params);
  } catch {
    return meta.memory?.empty(params);
  }
}
