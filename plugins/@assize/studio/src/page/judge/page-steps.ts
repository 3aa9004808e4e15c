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
  const now = nextSteps(model, judging);
  return {
    canUndo: now.undo !== undefined,
    canRedo: now.redo !== undefined,
    // Read again, because a second key may be pressed before the page is drawn after the first.
    undo: async () => nextSteps(model, judging).undo?.(),
    redo: async () => nextSteps(model, judging).redo?.(),
  };
}

type Step = (() => Promise<void>) | undefined;

/** The last step and the one that was undone last, each undefined if it does not exist. */
function nextSteps(model: StudioModel, judging: Judging | undefined): { readonly undo: Step; readonly redo: Step } {
  const { undoAt: setAt, redoAt: setAgainAt } = model.stepNumbers;
  const { undoAt: gradedAt, redoAt: gradedAgainAt } = judging ?? { undoAt: 0, redoAt: 0 };
  const last = Math.max(setAt, gradedAt);
  // A step that was undone before the last one was made cannot be taken again.
  const again = [setAgainAt, gradedAgainAt].filter((at) => at > last);
  const next = again.length === 0 ? 0 : Math.min(...again);
  return {
    undo: last === 0 ? undefined : async () => (judging && gradedAt > setAt ? judging.undo() : model.undo()),
    redo: next === 0 ? undefined : async () => (judging && next === gradedAgainAt ? judging.redo() : model.redo()),
  };
}
