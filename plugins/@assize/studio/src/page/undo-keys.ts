import { useEffect } from 'preact/hooks';
import type { StudioModel } from './model/studio-model.js';

/** Undo and redo by the keys that people expect; not behind a dialog, which is about what is set. */
export function useUndoKeys(model: StudioModel, report: (error: unknown) => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey)) return;
      if (document.querySelector('dialog[open]')) return;
      event.preventDefault();
      (event.shiftKey ? model.redo() : model.undo()).catch(report);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [model, report]);
}
