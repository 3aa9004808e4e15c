import { useEffect, useState } from 'preact/hooks';
import { whenIdle } from './when-idle.js';

/** The parts of the page that a browser loads after the start. */
export type Later = typeof import('../later.js');

/** Milliseconds before the parts are loaded again, if the server did not answer. */
const RETRY_MS = 2000;

let loaded: Later | undefined;

/** What the page has of the parts that it loads after the start. */
export interface LaterState {
  /** Undefined until they are loaded. */
  readonly later: Later | undefined;
  /** Why a part that is needed is not there; empty if it is there, or about to be. */
  readonly missing: string;
}

/**
 * Loads the rest of the page when the browser has nothing else to do, so that dialogs open at once, also after the server
 * has ended; earlier if it is needed. If the server does not answer, tries again until it does.
 */
export function useLater(isNeeded: boolean): LaterState {
  const [later, setLater] = useState(loaded);
  const [tries, setTries] = useState(0);
  const load = () =>
    void importLater(tries).then(
      (module) => {
        loaded = module;
        setLater(module);
      },
      () => setTries(tries + 1),
    );
  useEffect(() => (later || tries > 0 ? undefined : whenIdle(load)), []);
  useEffect(() => {
    if (isNeeded && !later) load();
  }, [isNeeded]);
  useEffect(() => {
    if (tries === 0 || later) return undefined;
    const timer = setTimeout(load, RETRY_MS);
    return () => clearTimeout(timer);
  }, [tries]);
  return { later, missing: isNeeded && !later && tries > 0 ? NO_ANSWER : '' };
}

const NO_ANSWER =
  'The studio’s server does not answer; this part of the page opens when it does. Check that assize studio is still running, or start it again.';

/** A browser may keep that an address has failed. With another one, it asks the server again. */
function importLater(tries: number): Promise<Later> {
  if (tries === 0) return import('../later.js');
  return import(new URL(`later.js?try=${tries}`, import.meta.url).href);
}
