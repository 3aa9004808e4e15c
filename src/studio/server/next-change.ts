import { type FSWatcher, watch } from 'node:fs';
import { dirname } from 'node:path';

/** How long a page waits to hear that a file has changed, before it asks again. */
const WAIT_MS = 25_000;
/** How long the files have to be quiet: an editor writes one in several steps. */
const QUIET_MS = 50;

/**
 * Waits until something changes in the folders of some files, a while at most. The watch of a file itself goes deaf when an
 * editor puts another one in its place.
 */
export function nextChange(files: readonly string[], gone: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const watchers = [...new Set(files.map((file) => dirname(file)))].flatMap(watchFolder);
    const end = (): void => {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
      gone.removeEventListener('abort', end);
      done();
    };
    let timer = setTimeout(end, WAIT_MS);
    for (const watcher of watchers) {
      watcher.on('change', () => {
        clearTimeout(timer);
        timer = setTimeout(end, QUIET_MS);
      });
      watcher.on('error', end);
    }
    gone.addEventListener('abort', end);
  });
}

/** A folder that is not there cannot be watched: what is in it is looked for when the wait is over. */
function watchFolder(folder: string): FSWatcher[] {
  try {
    return [watch(folder)];
  } catch {
    return [];
  }
}
