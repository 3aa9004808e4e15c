import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';

const KEY = 'assize-studio-expert';

/** Whether ids, expressions and weights are shown. */
export const Expert = createContext(false);

export const useExpert = (): boolean => useContext(Expert);

/** The choice of this browser, and a function that changes it. */
export function useExpertChoice(): readonly [boolean, (expert: boolean) => void] {
  const [expert, set] = useState(() => stored() === 'yes');
  const change = (next: boolean) => {
    set(next);
    try {
      localStorage.setItem(KEY, next ? 'yes' : 'no');
    } catch {
      // The choice is lost when the page closes: the browser does not let this page store anything.
    }
  };
  return [expert, change];
}

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
