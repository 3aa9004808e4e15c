import { toError } from '../diagnostics/index.js';

/** Lets one caller stop waiting for work that others share. */
export function abortable<T>(work: Promise<T>, abort: AbortSignal | undefined): Promise<T> {
  if (abort === undefined) return work;
  return new Promise((resolve, reject) => {
    const stop = () => reject(toError(abort.reason));
    if (abort.aborted) stop();
    abort.addEventListener('abort', stop, { once: true });
    void work.then(resolve, reject).finally(() => abort.removeEventListener('abort', stop));
  });
}
