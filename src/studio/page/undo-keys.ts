import { useEffect } from 'preact/hooks';
import type { StudioModel } from './studio-model.js';

/** Undo and redo by the keys that people expect. */
export function useUndoKeys(model: StudioModel, report: (error: unknown) => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      (event.shiftKey ? model.redo() : model.undo()).catch(report);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [model, report]);
}
