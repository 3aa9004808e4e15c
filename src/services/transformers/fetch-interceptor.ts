import { AsyncLocalStorage } from 'node:async_hooks';
import type { Fetch } from '../fetch.js';

/** Where a library keeps the `fetch` that all of its loads share. */
export interface FetchHolder {
  fetch: Fetch;
}

/** Answers a request of one piece of work, perhaps by the library's own `fetch`. */
export type FetchInterceptor = (original: Fetch, input: string | URL, init?: RequestInit) => Promise<Response>;

const interceptors = new AsyncLocalStorage<FetchInterceptor>();
const installed = new WeakMap<FetchHolder, { users: number; remove: () => void }>();

/**
 * Runs work whose requests, and no others, go to `intercept`. The library's `fetch` is global to it: work that runs at
 * the same time keeps its own interceptor, and the library's `fetch` is restored afterwards.
 */
export async function withFetchInterceptor<T>(
  holder: FetchHolder,
  intercept: FetchInterceptor,
  work: () => Promise<T>,
): Promise<T> {
  const install = installed.get(holder) ?? installInterceptor(holder);
  install.users++;
  try {
    return await interceptors.run(intercept, work);
  } finally {
    if (--install.users === 0) install.remove();
  }
}

function installInterceptor(holder: FetchHolder) {
  const original = holder.fetch;
  const ours: Fetch = (input, init) => {
    const intercept = interceptors.getStore();
    return intercept === undefined ? original(input, init) : intercept(original, input, init);
  };
  holder.fetch = ours;
  const install = {
    users: 0,
    remove: () => {
      installed.delete(holder);
      if (holder.fetch === ours) holder.fetch = original; // else another was set meanwhile
    },
  };
  installed.set(holder, install);
  return install;
}
