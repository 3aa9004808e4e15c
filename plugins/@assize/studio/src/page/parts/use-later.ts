import { useEffect, useState } from 'preact/hooks';
import { whenIdle } from './when-idle.js';

/** The parts of the page that a browser loads after the start. */
export type Later = typeof import('../later.js');

let loaded: Later | undefined;

/**
 * Loads the rest of the page when the browser has nothing else to do, so that dialogs open at once, also after the server
 * has ended; earlier if it is needed.
 *
 * @returns undefined until it is loaded
 */
export function useLater(isNeeded: boolean, report: (error: unknown) => void): Later | undefined {
  const [later, setLater] = useState(loaded);
  const load = () =>
    void import('../later.js').then((module) => {
      loaded = module;
      setLater(module);
    }, report);
  useEffect(() => (later ? undefined : whenIdle(load)), []);
  useEffect(() => {
    if (isNeeded && !later) load();
  }, [isNeeded]);
  return later;
}
