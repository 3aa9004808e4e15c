import { type FSWatcher, statSync, watch } from 'node:fs';

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
