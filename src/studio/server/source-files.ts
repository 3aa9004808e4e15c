import { createHash } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { FolderWatcher, changedFiles, type FileStamps, stampsOf, wereUnchanged } from '../../serve/index.js';
import { noSources, type ProfileSources } from '../../pipeline/node.js';

/** How often files are read again that change while they are read. */
const MAX_READS = 4;

/**
 * The files that profiles are made of: its own, what it extends, and what its params name. A change of any may change the
 * ranking; memories, which runs change, and plugins, which a process loads once, are none of them.
 */
export class SourceFiles {
  /** Where loading the profile notes its files, also those that cannot be read. */
  readonly noted: ProfileSources = noSources();
  #stamps: FileStamps = new Map();
  #version = '';

  /** @param file a profile's own; undefined of a preset */
  constructor(file?: string) {
    if (file !== undefined) this.noted.files.add(file);
  }

  /** Whether there are any. */
  get some(): boolean {
    return this.noted.files.size > 0;
  }

  /** A short digest of what was read last: equal for equal files. */
  get version(): string {
    return this.#version;
  }

  /** Whether any is another than when it was read. */
  async haveChanged(): Promise<boolean> {
    return changedFiles(this.#stamps, await stampsOf(this.#files())).length > 0;
  }

  /** Reads them, again where one has changed meanwhile: nothing is half of one version and half of another. */
  async read<R>(work: () => Promise<R>): Promise<R> {
    for (let reads = 1; ; reads++) {
      const before = await stampsOf(this.#files()); // oxlint-disable-line no-await-in-loop -- one after another
      const start = Date.now();
      const [outcome] = await Promise.allSettled([work()]); // oxlint-disable-line no-await-in-loop
      this.#version = await digestOf(this.#files()); // oxlint-disable-line no-await-in-loop
      const after = await stampsOf(this.#files()); // oxlint-disable-line no-await-in-loop
      const isSettled = wereUnchanged(before, after, start);
      this.#stamps = isSettled ? after : before; // what goes on changing is read again with the next look
      if (!isSettled && reads < MAX_READS) continue;
      if (outcome.status === 'fulfilled') return outcome.value;
      throw outcome.reason;
    }
  }

  /** The folders that they lie in, and those that links lead to. */
  async folders(): Promise<ReadonlySet<string>> {
    const files = this.#files();
    const real = await Promise.all(files.map((file) => realpath(file).catch(() => file)));
    return new Set([...files, ...real].map((file) => dirname(file)));
  }

  #files(): readonly string[] {
    return [...this.noted.files].filter((file) => !this.noted.memories.has(file));
  }
}

/** Of what is in them, wherever they lie; what cannot be read counts, too. */
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

/** How long is waited for a change that no system reports, such as that of a file of a network. */
const WAIT_MS = 5000;
/** How long a file has to be quiet: an editor writes it in several steps. */
const QUIET_MS = 50;

/** Waits until something changes in folders, a while at most. Folders that are not there, or cannot be watched, are left out. */
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
