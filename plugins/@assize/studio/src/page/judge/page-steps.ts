import type { StudioModel } from '../model/studio-model.js';
import type { Judging } from './judging.js';

/** The steps of a page: settings and grades, undone in the order in which they were made. */
export interface PageSteps {
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  undo(): Promise<void>;
  redo(): Promise<void>;
}

/** @param judging undefined in a page without a server */
export function pageSteps(model: StudioModel, judging: Judging | undefined): PageSteps {
  const { undoAt: setAt, redoAt: setAgainAt } = model.stepNumbers;
  const { undoAt: gradedAt, redoAt: gradedAgainAt } = judging ?? { undoAt: 0, redoAt: 0 };
  const last = Math.max(setAt, gradedAt);
  // A step that was undone before the last one was made cannot be taken again.
  const again = [setAgainAt, gradedAgainAt].filter((at) => at > last);
  const next = again.length === 0 ? 0 : Math.min(...again);
  return {
    canUndo: last > 0,
    canRedo: next > 0,
    undo: async () => (judging && gradedAt > setAt ? judging.undo() : model.undo()),
    redo: async () => {
      if (next === 0) return;
      await (judging && next === gradedAgainAt ? judging.redo() : model.redo());
    },
  };
}
