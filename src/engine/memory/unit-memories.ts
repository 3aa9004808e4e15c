import type { UnitClass } from '../../contract/index.js';
import type { ClassUse, EntryMemoryFile } from '../../profile/index.js';
import type { MemoryFiles } from '../../services/index.js';
import { MemoryStore } from './memory-store.js';

/** One use of a unit with a memory. */
interface UnitMemory {
  readonly entry: string;
  readonly slot: number;
  readonly unit: UnitClass;
  readonly params: never;
  /** The fingerprint of what its memory depends on; undefined where the unit has none. */
  readonly madeWith: () => string | undefined;
}

/** The memories of a profile's units, by their paths in the profile. */
export class UnitMemories {
  readonly store: MemoryStore;
  readonly #uses = new Map<string, UnitMemory>();

  constructor(files: MemoryFiles) {
    this.store = new MemoryStore(files);
  }

  /** Gives the unit in a slot its memory, where it keeps one. */
  add(
    slot: number,
    path: readonly string[],
    { unit, plugin, name, params: given }: ClassUse,
    fingerprint: ((params: unknown) => string) | undefined,
    memory: EntryMemoryFile | undefined,
  ): void {
    const { memory: declared } = unit.meta;
    if (!declared) return;
    const params = given as never;
    const madeWith = (): string | undefined => fingerprint?.(params);
    this.store.set(slot, declared.empty(params));
    this.#uses.set(path.join('/'), { entry: path[1] ?? '', slot, unit, params, madeWith });
    if (!memory || !declared.file) return;
    const owner = { unit: `${plugin}/${name}`, version: declared.file.version, madeWith: madeWith() ?? '' };
    this.store.addFile(slot, memory, owner, declared.file, params);
  }

  /**
   * Starts from the memories of another profile's units. An entry that has changed keeps its memory if the fingerprint
   * is the same, under the limits of its new params, and starts empty otherwise. What is in a file is read from there.
   */
  adopt(other: UnitMemories, memories: ReadonlyMap<number, unknown>, changed: ReadonlySet<string>): void {
    for (const [path, { entry, slot, unit, params, madeWith }] of this.#uses) {
      const theirs = other.#uses.get(path);
      if (theirs?.unit !== unit || this.store.isInFile(slot)) continue;
      const memory = memories.get(theirs.slot);
      if (!changed.has(entry)) this.store.set(slot, memory);
      else if (madeWith() !== undefined && madeWith() === theirs.madeWith())
        this.store.set(slot, withParams(unit, memory, params));
    }
  }
}

/** A memory under other params, as if read from a file; empty where it does not fit them. */
function withParams({ meta }: UnitClass, memory: unknown, params: never): unknown {
  const format = meta.memory?.file;
  if (!format) return memory;
  try {
    return format.restore(format.store(memory as never), params);
  } catch {
    return meta.memory?.empty(params);
  }
}
