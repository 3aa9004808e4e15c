import { createHash } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { FolderWatcher, TrackedFiles } from 'assize/internal';

/**
 * The files of profiles: their own, those that they extend, and those that their params name. A change of any of them may
 * change the ranking. Memories, which runs change, and plugins, which a process loads once, are not included.
 */
export class SourceFiles {
  /** Creates the pipelines of the profiles, and records their files, including unreadable ones. */
  readonly tracked: TrackedFiles;
  #version = '';

  /** @param file the profile's own file; undefined for a preset */
  constructor(file?: string) {
    this.tracked = new TrackedFiles(file === undefined ? [] : [file]);
  }

  /** Whether there are any files. */
  get some(): boolean {
    return this.tracked.paths.length > 0;
  }

  /** A short digest of the files that were read last. */
  get version(): string {
    return this.#version;
  }

  /** Whether a file has changed since it was read. */
  async haveChanged(): Promise<boolean> {
    return (await this.tracked.changed()).length > 0;
  }

  /** Runs work that reads the files, and repeats it if a file changed in between, so that versions are never mixed. */
  async read<R>(work: () => Promise<R>): Promise<R> {
    const { outcome } = await this.tracked.read(async () => {
      try {
        return await work();
      } finally {
        this.#version = await digestOf(this.tracked.paths);
      }
    });
    if (outcome.status === 'fulfilled') return outcome.value;
    throw outcome.reason;
  }

  /** The folders of the files and of the targets of links. */
  async folders(): Promise<ReadonlySet<string>> {
    const files = this.tracked.paths;
    const real = await Promise.all(files.map((file) => realpath(file).catch(() => file)));
    return new Set([...files, ...real].map((file) => dirname(file)));
  }
}

/** A digest of the contents of files, independent of their paths. Unreadable files are included. */
async function digestOf(files: readonly string[]): Promise<string> {
  const digests: string[] = [];
  for (const file of files) {
    // oxlint-disable-next-line no-await-in-loop -- one of them in memory
    const content = await readFile(file).catch(() => undefined);
    digests.push(content === undefined ? 'none' : sha256(content));
  }
  return sha256(digests.toSorted().join()).slice(0, 16);
}

const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** The polling interval for changes that are not reported, such as those on a network drive. */
const WAIT_MS = 5000;
/** Milliseconds without changes before reading, because editors write files in several steps. */
const QUIET_MS = 50;

/** Waits until something changes in folders, up to the polling interval. Folders that cannot be watched are skipped. */
export function nextChange(folders: ReadonlySet<string>, gone: AbortSignal): Promise<void> {
  return new Promise((done) => {
    let timer: NodeJS.Timeout;
    const watcher = new FolderWatcher(() => wait(QUIET_MS));
    const end = (): void => {
      clearTimeout(timer);
      watcher.close();
      gone.removeEventListener('abort', end);
      done();
    };
    const wait = (time: number): void => {
      clearTimeout(timer);
      timer = setTimeout(end, time);
    };
    wait(WAIT_MS);
    watcher.follow(folders);
    gone.addEventListener('abort', end);
    if (gone.aborted) end();
  });
}
