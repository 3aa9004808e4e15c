import { FolderWatcher } from '../../serve/profiles/index.js';

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
