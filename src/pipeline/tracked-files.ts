import { type BigIntStats, type FSWatcher, statSync, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { ProfileSource } from '../profile/index.js';
import { forgetModules } from '../profile/node.js';
import { createTrackedPipeline, noSources, type PipelineOptions } from './create-pipeline.js';
import type { Pipeline } from './pipeline.js';

/** The state of a file: a text that changes with its contents, and the time of the last change. */
interface FileStamp {
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

/** The stamps of files by path. */
type FileStamps = ReadonlyMap<string, FileStamp>;

/** The outcome of work that reads files. */
interface FilesRead<R> {
  readonly outcome: PromiseSettledResult<R>;
  /** The files that changed during each attempt; empty if the outcome is of one version of the files. */
  readonly changing: readonly string[];
}

/** The most attempts to read files that change during reading. */
const MAX_READS = 4;

/**
 * The files that profiles come from: their own, those that they extend, and those that their params name. Pipelines that
 * are created here record their files, also those that cannot be read. Memories are not included, because runs change them.
 */
export class TrackedFiles {
  readonly #sources = noSources();
  /** The files that were read last, valid or not. */
  #stamps: FileStamps = new Map();

  /**
   * @param files known from the start
   * @param withModules whether the modules of plugins count as well; a process loads some of them only once
   */
  constructor(
    files: readonly string[] = [],
    private readonly withModules = false,
  ) {
    for (const file of files) this.#sources.files.add(file);
  }

  /** The paths of the files, absolute. */
  get paths(): readonly string[] {
    const { files, modules, memories } = this.#sources;
    return [...files, ...(this.withModules ? modules : [])].filter((file) => !memories.has(file));
  }

  /** The stamps of the files that were read last. Equal stamps mean the same version. */
  get stamps(): FileStamps {
    return this.#stamps;
  }

  /**
   * Whether the runs of the last pipeline share memories or services with others in this process. If not, a pipeline in
   * another thread gives the same results.
   */
  get areRunsShared(): boolean {
    return this.#sources.shared.size > 0;
  }

  /**
   * Creates a pipeline as `createPipeline` does, and records its files, also if it fails.
   *
   * @throws AssizeError with every problem of the profile
   */
  createPipeline<T>(profile: ProfileSource, options: PipelineOptions): Promise<Pipeline<T>> {
    return createTrackedPipeline<T>(profile, options, this.#sources);
  }

  /** The files that are new, or have changed since they were read. */
  async changed(): Promise<readonly string[]> {
    return changedFiles(this.#stamps, await stampsOf(this.paths));
  }

  /** Runs work that reads the files, and repeats it if a file changed during reading, so that versions are never mixed. */
  async read<R>(work: () => Promise<R>): Promise<FilesRead<R>> {
    for (let reads = 1; ; reads++) {
      const before = await stampsOf(this.paths); // oxlint-disable-line no-await-in-loop -- one after another
      const start = Date.now();
      const [outcome] = await Promise.allSettled([work()]); // oxlint-disable-line no-await-in-loop
      const after = await stampsOf(this.paths); // oxlint-disable-line no-await-in-loop
      const isSettled = wereUnchanged(before, after, start);
      // Files that may have changed after reading are read again at the next poll.
      this.#stamps = isSettled ? after : before;
      if (isSettled) return { outcome, changing: [] };
      if (reads === MAX_READS) return { outcome, changing: changedFiles(before, after) };
    }
  }

  /**
   * Makes Node load changed modules of plugins again.
   *
   * @returns the changed modules that Node loads again only after a restart
   */
  forgetModules(changed: readonly string[]): readonly string[] {
    const { modules, keptModules } = this.#sources;
    if (!changed.some((file) => modules.has(file))) return [];
    forgetModules(modules);
    return changed.filter((file) => keptModules.has(file));
  }
}

const MISSING: FileStamp = { text: 'missing', changedAt: 0 };

const stampOf = ({ ino, size, mtimeNs, ctimeNs }: BigIntStats): FileStamp => ({
  text: `${ino} ${size} ${mtimeNs} ${ctimeNs}`,
  changedAt: Number(ctimeNs / 1_000_000n),
});

/** The current stamps of files: one `stat` each, following links. */
async function stampsOf(files: Iterable<string>): Promise<FileStamps> {
  const stamp = async (file: string): Promise<[string, FileStamp]> => [
    file,
    await stat(file, { bigint: true }).then(stampOf, () => MISSING),
  ];
  return new Map(await Promise.all([...files].map(stamp)));
}

/** The files whose stamps are new or changed. */
const changedFiles = (before: FileStamps, now: FileStamps): readonly string[] =>
  [...now].filter(([file, { text }]) => before.get(file)?.text !== text).map(([file]) => file);

/** The most milliseconds that the clock of a disk may lag behind the process. */
const CLOCK_STEP = 50;

/**
 * Whether files that were read after a time have not changed since. Checks the stamps from before that time or, for a new
 * file, its time of change.
 */
const wereUnchanged = (before: FileStamps, now: FileStamps, since: number): boolean =>
  [...now].every(([file, { text, changedAt }]) => {
    const earlier = before.get(file);
    return earlier === undefined ? changedAt < since - CLOCK_STEP : earlier.text === text;
  });

/** A watched folder. A changed `inode` means that another folder has its name. */
interface WatchedFolder {
  readonly inode: number;
  readonly watcher: FSWatcher;
}

/**
 * Watches folders, not files. Editors and deployments replace files, and a watch of the replaced file never reports
 * again.
 */
export class FolderWatcher {
  readonly #folders = new Map<string, WatchedFolder>();

  /** @param changed called when something in a folder may have changed; also called without a change */
  constructor(private readonly changed: () => void) {}

  /** Watches these folders and no others. */
  follow(folders: ReadonlySet<string>): void {
    for (const [folder, { inode, watcher }] of this.#folders) {
      if (folders.has(folder) && inodeOf(folder) === inode) continue;
      watcher.close();
      this.#folders.delete(folder);
    }
    for (const folder of folders) if (!this.#folders.has(folder)) this.#watch(folder);
  }

  /** A folder that cannot be watched is only polled, as all folders are. */
  #watch(folder: string): void {
    const inode = inodeOf(folder);
    if (inode === undefined) return;
    try {
      const watcher = watch(folder, { persistent: false }, this.changed);
      watcher.on('error', () => {
        watcher.close();
        this.#folders.delete(folder);
      });
      this.#folders.set(folder, { inode, watcher });
    } catch {
      // the system's limit of watches is reached: polling continues
    }
  }

  close(): void {
    this.follow(new Set());
  }
}

const inodeOf = (folder: string): number | undefined => statSync(folder, { throwIfNoEntry: false })?.ino;
