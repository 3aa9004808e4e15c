import type { StudioData } from '../../data/studio-data.js';
import type { FileEdit } from '../../save/data-edit.js';
import type { Settings } from './settings.js';
import { inFull, unsaved } from './unsaved.js';

/** A profile before and after its file changed. */
export interface FileChange {
  /** Of the old file with the structural edits that are set. */
  readonly draft: StudioData;
  /** The text of the old file; undefined in a page that cannot edit. */
  readonly text: string | undefined;
  /** Of the new file. */
  readonly data: StudioData;
  /** The settings that were saved; undefined if something else has changed the file. */
  readonly saved: Settings | undefined;
}

/**
 * Settings relative to the old file, as settings relative to the new one. After a save, the settings that differ from the
 * saved ones stay as they were: if their structure differs, they start with the text of the old file.
 */
export function carriedTo({ draft, text, data, saved }: FileChange, step: Settings): Settings {
  if (!saved) return step.edits.length === 0 ? unsaved(data, step) : step;
  const edits = carriedEdits(saved.edits, step.edits, text);
  if (edits === undefined) return unsaved(data, { ...inFull(draft, step), edits: [] });
  return { ...step, edits };
}

/** The same for settings that are kept in full. */
export const keptCarriedTo = ({ text, saved }: FileChange, kept: Settings): Settings =>
  saved ? { ...kept, edits: carriedEdits(saved.edits, kept.edits, text) ?? [] } : kept;

/** undefined if the saved file has all of the edits, and no others. */
function carriedEdits(
  saved: readonly FileEdit[],
  edits: readonly FileEdit[],
  text: string | undefined,
): readonly FileEdit[] | undefined {
  if (JSON.stringify(saved) === JSON.stringify(edits)) return undefined;
  const [first] = edits;
  return text === undefined || (first && 'text' in first) ? edits : [{ text }, ...edits];
}
