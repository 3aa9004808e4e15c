import { watch } from 'node:fs';
import { dirname } from 'node:path';

/** How long a page waits to hear that the file has changed, before it asks again. */
const WAIT_MS = 25_000;
/** How long a file has to be quiet: an editor writes it in several steps. */
const QUIET_MS = 50;

/**
 * Waits until something changes in the folder of a file, a while at most. The watch of a file itself goes deaf when an
 * editor puts another one in its place.
 */
export function nextChange(file: string, gone: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const watcher = watch(dirname(file));
    const end = (): void => {
      clearTimeout(timer);
      watcher.close();
      gone.removeEventListener('abort', end);
      done();
    };
    let timer = setTimeout(end, WAIT_MS);
    watcher.on('change', () => {
      clearTimeout(timer);
      timer = setTimeout(end, QUIET_MS);
    });
    watcher.on('error', end);
    gone.addEventListener('abort', end);
  });
}
