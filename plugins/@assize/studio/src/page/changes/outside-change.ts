import { isOfFile } from '../model/history.js';
import type { StudioModel } from '../model/studio-model.js';
import { counted } from '../parts/in-words.js';
import type { Moves } from './moved-items.js';

/** A change of the file outside of the page. */
export interface OutsideChange {
  readonly text: string;
  /** Compares with the file as it is now from then on. */
  readonly dismiss: () => void;
}

/** What changed the order, if the file changed since the baseline that is compared; undefined if it did not. */
export function outsideChange(model: StudioModel, { entered, top }: Moves): OutsideChange | undefined {
  const { baselineKept, data } = model;
  const ofFile = model.history.kept.find(isOfFile);
  if (ofFile?.for !== 'reloaded' || ofFile.snapshot === model.baseline) return undefined;
  if (!baselineKept || !isOfFile(baselineKept)) return undefined;
  const name = data.file?.name ?? data.title;
  const effect =
    entered.length === 0
      ? `the top ${top} stayed the same`
      : `${counted(entered.length, 'item')} entered the top ${top}`;
  return { text: `${name} was changed outside this page; ${effect}`, dismiss: () => model.pin(ofFile) };
}
