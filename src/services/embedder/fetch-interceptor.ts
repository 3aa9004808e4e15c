import { AsyncLocalStorage } from 'node:async_hooks';
import type { Fetch } from '../fetch.js';

/** Where a library keeps the `fetch` that all of its loads share. */
export interface FetchHolder {
  fetch: Fetch;
}

/** Given a request of one piece of work, and the library's own `fetch`. */
export type FetchInterceptor = (original: Fetch, input: string | URL, init?: RequestInit) => Promise<Response>;

const interceptors = new AsyncLocalStorage<FetchInterceptor>();
const installed = new WeakMap<FetchHolder, { users: number; remove: () => void }>();

/**
 * Runs work whose requests, and no others, are answered by `answer`. The library's `fetch` is global to it: work that
 * runs at the same time, here or elsewhere, keeps its own answer, and the library gets its `fetch` back afterwards.
 */
export async function withFetchInterceptor<T>(
  holder: FetchHolder,
  answer: FetchInterceptor,
  work: () => Promise<T>,
): Promise<T> {
  const install = installed.get(holder) ?? installInterceptor(holder);
  install.users++;
  try {
    return await interceptors.run(answer, work);
  } finally {
    if (--install.users === 0) install.remove();
  }
}

function installInterceptor(holder: FetchHolder) {
  const original = holder.fetch;
  const ours: Fetch = (input, init) => {
    const answer = interceptors.getStore();
    return answer === undefined ? original(input, init) : answer(original, input, init);
  };
  holder.fetch = ours;
  const install = {
    users: 0,
    remove: () => {
      installed.delete(holder);
      if (holder.fetch === ours) holder.fetch = original; // else somebody set another meanwhile
    },
  };
  installed.set(holder, install);
  return install;
}
