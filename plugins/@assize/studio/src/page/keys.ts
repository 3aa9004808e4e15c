import { useEffect } from 'preact/hooks';
import type { PageSteps } from './judge/page-steps.js';

/** Whether something is open that is about its own keys. */
export const isBehind = (): boolean => document.querySelector('dialog[open], :popover-open') !== null;

/** Keys of the whole page. They do nothing while a dialog is open, because it edits the settings. */
export function usePageKeys(onKey: (event: KeyboardEvent) => boolean, by: readonly unknown[]): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isBehind() && onKey(event)) event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, by);
}

const hasModifier = ({ ctrlKey, metaKey }: KeyboardEvent): boolean => ctrlKey || metaKey;

/** Undo and redo by the keys that people expect. */
export function useUndoKeys(steps: PageSteps, report: (error: unknown) => void): void {
  usePageKeys(
    (event) => {
      if (event.key.toLowerCase() !== 'z' || !hasModifier(event)) return false;
      (event.shiftKey ? steps.redo() : steps.undo()).catch(report);
      return true;
    },
    [steps, report],
  );
}

/** The search by Ctrl-K or ⌘K, and Escape, which closes the details. */
export function useOpenKeys(openSearch: () => void, close: (() => void) | undefined): void {
  usePageKeys(
    (event) => {
      if (event.key.toLowerCase() === 'k' && hasModifier(event)) openSearch();
      else if (event.key === 'Escape' && close && !isInMenu(event.target)) close();
      else return false;
      return true;
    },
    [openSearch, close],
  );
}

/** Escape in a menu or an input is about that. */
const isInMenu = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('details.choice[open], input, select') !== null;

/**
 * Moves the focus to a control if a dialog has closed and left it nowhere, as one does that was opened from the search.
 *
 * @param focus moves the focus
 */
export function useFocusAfterDialogs(focus: () => void): void {
  useEffect(() => {
    const onClose = ({ target }: Event) => {
      if (!(target instanceof HTMLDialogElement)) return;
      // By then another dialog may be open.
      requestAnimationFrame(() => {
        const isNowhere = document.activeElement === document.body || document.activeElement === null;
        if (isNowhere && !document.querySelector('dialog:modal')) focus();
      });
    };
    document.addEventListener('close', onClose, { capture: true });
    return () => document.removeEventListener('close', onClose, { capture: true });
  }, [focus]);
}
