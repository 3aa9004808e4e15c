import { type FSWatcher, statSync, watch } from 'node:fs';

/** A folder that is watched; `inode` tells when another folder has its name. */
interface WatchedFolder {
  readonly inode: number;
  readonly watcher: FSWatcher;
}

/**
 * Watches folders. Not files: a file that is replaced, as editors and deployments do it, is another one, and the watch of the old one
 * never reports again.
 */
export class FolderWatcher {
  readonly #folders = new Map<string, WatchedFolder>();

  /** @param changed called when something in a folder may have changed; often, and also for nothing */
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

  /** A folder that cannot be watched is looked at from time to time, as all are. */
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
      // as many are watched as this machine allows
    }
  }

  close(): void {
    this.follow(new Set());
  }
}

const inodeOf = (folder: string): number | undefined => statSync(folder, { throwIfNoEntry: false })?.ino;
