import type { MemoryFormat, UnitClass } from '../sdk/index.js';
import { toAssizeError, AssizeError, type Problem } from '../base/index.js';
import type { ClassUse, EntryMemoryFile } from '../profile/index.js';
import type { MemoryChange, MemoryOwner, MemoryFile, MemoryFiles, MemoryLock, MemoryRead } from '../services/node.js';
import type { MemoryUpdates } from './entries.js';
import { causeOf } from './failures.js';
import { awaitPromise, chain, isTask, type MaybeAsync, runAsync, untilAborted } from './tasks.js';

/** One use of a unit with a memory. */
interface UnitMemory {
  readonly entry: string;
  readonly slot: number;
  readonly unit: UnitClass;
  readonly params: never;
  /** The fingerprint of the params that its memory depends on; undefined if the unit has none. */
  readonly madeWith: () => string | undefined;
}

/** The memories of a profile's units, by their paths in the profile. */
export class UnitMemories {
  readonly store: MemoryStore;
  readonly #uses = new Map<string, UnitMemory>();

  constructor(files: MemoryFiles) {
    this.store = new MemoryStore(files);
  }

  /** Adds the memory of the unit in a slot, if it has one. */
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
   * Takes over the memories of another profile's units. A changed entry keeps its memory, limited by its new params, if the
   * fingerprint is the same; otherwise it starts empty. Memories in files are not taken over: they are read from the file.
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

/** A memory under other params, as if read from a file; empty if it does not fit them. */
function withParams({ meta }: UnitClass, memory: unknown, params: never): unknown {
  const format = meta.memory?.file;
  if (!format) return memory;
  try {
    return format.restore(format.store(memory as never), params, format.version);
  } catch {
    return meta.memory?.empty(params);
  }
}

/** The memory of one unit in a file. */
interface StoredMemory {
  readonly slot: number;
  readonly file: MemoryFile;
  readonly format: MemoryFormat<never>;
  readonly params: never;
  readonly empty: unknown;
}

/** The entry and stage that a wait for files is reported as. */
const FILES = { entry: 'its files', stage: 'memory' };

/** The memories that the engine keeps between runs, by slot. Some are in files. */
class MemoryStore {
  #snapshot: ReadonlyMap<number, unknown> = new Map();
  readonly #inFiles: StoredMemory[] = [];
  /** Held from the end of a run until its memories are written, and by a repeated run until `release`. */
  #lock: MemoryLock | undefined;

  constructor(private readonly files: MemoryFiles) {}

  /** Whether any unit has a memory, so that runs must queue. */
  get any(): boolean {
    return this.#snapshot.size > 0;
  }

  /** Whether any memory is in a file. */
  get inFiles(): boolean {
    return this.#inFiles.length > 0;
  }

  isInFile(slot: number): boolean {
    return this.#inFiles.some((one) => one.slot === slot);
  }

  get(slot: number): unknown {
    return this.#snapshot.get(slot);
  }

  /** The current memories by slot. Later updates do not change this map. */
  get snapshot(): ReadonlyMap<number, unknown> {
    return this.#snapshot;
  }

  set(slot: number, memory: unknown): void {
    this.#snapshot = new Map(this.#snapshot).set(slot, memory);
  }

  /** Stores the memory of a slot in a file. */
  addFile(slot: number, use: EntryMemoryFile, owner: MemoryOwner, format: MemoryFormat<never>, params: never): void {
    const { path, place } = use;
    const file = this.files.open(use.file, owner, { path, place }, format.older);
    this.#inFiles.push({ slot, file, format, params, empty: this.get(slot) });
  }

  /** Stops reading and writing files, as for a what-if. */
  leaveFiles(): void {
    this.#inFiles.length = 0;
  }

  /**
   * Before a run: reads changes that other processes wrote. A missing file is an empty memory.
   *
   * @param updates whether the run will write; this is checked before anything expensive runs
   * @throws AssizeError with the place of each `memory` that cannot be used
   */
  refresh(updates: boolean): MaybeAsync<void> {
    if (!this.inFiles) return undefined;
    const read = forEachFile(this.#inFiles, async (one) => {
      const found = await one.file.read();
      if (found !== undefined) this.set(one.slot, updatedMemory(one, this.get(one.slot), found));
      if (updates) await one.file.checkWritable();
    }).then(() => checkDistinct(this.#inFiles));
    return awaitPromise(FILES, read);
  }

  /**
   * After a run that succeeded: replaces memories, files first. If a file fails, no memory changes.
   *
   * @param abort has an effect until the first file is written; without files, it has no effect
   * @returns false if another run has changed a file since `refresh`. Then nothing is replaced, and the files stay locked:
   *   the run must be repeated from `refresh`. End it with `release`.
   */
  update(updates: MemoryUpdates, abort: AbortSignal): MaybeAsync<boolean> {
    const next = new Map(updates);
    const changed = this.#inFiles.filter(({ slot }) => next.has(slot) && next.get(slot) !== this.get(slot));
    const replace = (): boolean => {
      this.#snapshot = new Map([...this.#snapshot, ...next]);
      return true;
    };
    if (changed.length === 0) return replace();
    const changes = changed.map((one) => changeOf(one, this.get(one.slot), next.get(one.slot)));
    return chain(awaitPromise(FILES, this.#write(changes, abort)), (written) => written && replace());
  }

  async #write(changes: readonly MemoryChange[], abort: AbortSignal): Promise<boolean> {
    if (this.#lock === undefined) {
      const files = this.#inFiles.map(({ file }) => file);
      this.#lock = await this.files.lock(files, { abort });
      // Scores may depend on any of the memories, not only on those that the run changes.
      if (!(await this.#lock.areUnchanged())) return false;
    }
    await this.#lock.write(changes, abort);
    return true;
  }

  /** Unlocks the files. */
  release(): MaybeAsync<void> {
    const lock = this.#lock;
    this.#lock = undefined;
    return lock && awaitPromise(FILES, lock.end());
  }

  /** Returns the warnings about files since the last call. */
  takeWarnings(): readonly Problem[] {
    return this.#inFiles.flatMap(({ file }) => file.takeWarnings());
  }
}

/** The memory after what a read of its file found. */
function updatedMemory({ file, format, params, empty }: StoredMemory, known: unknown, read: MemoryRead): unknown {
  const { snapshot, records } = read;
  try {
    let memory = known;
    if (snapshot) memory = snapshot === 'empty' ? empty : format.restore(snapshot.memory, params, snapshot.version);
    if (records.length === 0) return memory;
    const { changes } = format;
    if (!changes) throw new Error('it has changes that this version cannot read');
    return records.reduce((before, record) => changes.apply(before as never, record, params), memory);
  } catch (error) {
    throw file.contentError(causeOf(error));
  }
}

function changeOf({ file, format }: StoredMemory, before: unknown, after: unknown): MemoryChange {
  const changes = format.changes?.store(before as never, after as never);
  return { file, changes, whole: () => format.store(after as never) };
}

/** Checks that no two entries share a file through different paths: each would overwrite the other's memory. */
function checkDistinct(all: readonly StoredMemory[]): void {
  const seen = new Map<string, MemoryFile>();
  for (const { file } of all) {
    const first = seen.get(file.realPath);
    if (first) {
      const message = `the memory file ${file.path} is already used by ${first.named.path}, under the path ${first.path}`;
      throw toAssizeError([{ code: 'ASZ105', message, ...file.named, hint: 'each entry needs its own file' }]);
    }
    seen.set(file.realPath, file);
  }
}

/** Does the work for each file and reports all problems together. */
async function forEachFile(all: readonly StoredMemory[], work: (one: StoredMemory) => Promise<void>): Promise<void> {
  const outcomes = await Promise.allSettled(all.map(work));
  const problems = outcomes.flatMap((outcome) => {
    if (outcome.status === 'fulfilled') return [];
    if (outcome.reason instanceof AssizeError) return outcome.reason.problems;
    throw outcome.reason;
  });
  if (problems.length > 0) throw toAssizeError(problems);
}

/** The queue of runs that share a memory. Each starts with the memory that the previous one stored. */
export class RunQueue {
  /** The last asynchronous run; undefined when it has ended. */
  #last: Promise<unknown> | undefined;
  /** Whether a run is starting. A run that is enqueued from inside it runs after it. */
  #beginning = false;

  /** Whether a run is active or queued. */
  get isBusy(): boolean {
    return this.#beginning || this.#last !== undefined;
  }

  /** Waits until no run is active or queued. */
  async idle(): Promise<void> {
    // oxlint-disable-next-line no-await-in-loop -- more runs may have been queued
    while (this.#last) await this.#last;
  }

  /**
   * Runs after all runs that were enqueued before. An abort of a queued run rejects immediately. A run that has started
   * handles its own abort.
   */
  enqueue<R>(run: () => MaybeAsync<R>, abort: AbortSignal): R | Promise<R> {
    if (this.#beginning) return Promise.resolve().then(() => this.enqueue(run, abort));
    if (this.#last) return this.#after(this.#last, run, abort);
    const result = this.#begin(run);
    return isTask(result) ? this.#follow(runAsync(result)) : result;
  }

  #after<R>(before: Promise<unknown>, run: () => MaybeAsync<R>, abort: AbortSignal): Promise<R> {
    let over: Promise<unknown> | undefined = before;
    const turn = untilAborted(before, abort).then(() => {
      over = undefined;
      return runAsync(this.#begin(run));
    });
    return this.#follow(turn, () => over);
  }

  #begin<R>(run: () => MaybeAsync<R>): MaybeAsync<R> {
    this.#beginning = true;
    try {
      return run();
    } finally {
      this.#beginning = false;
    }
  }

  /**
   * Makes the next run wait for this one.
   *
   * @param before the previous run, if this one was aborted while it was queued
   */
  #follow<R>(run: Promise<R>, before: () => Promise<unknown> | undefined = () => undefined): Promise<R> {
    const over = (): void => {
      if (this.#last === last) this.#last = undefined;
    };
    const last: Promise<void> = run.then(over, () => before()?.then(over) ?? over());
    this.#last = last;
    return run;
  }
}
