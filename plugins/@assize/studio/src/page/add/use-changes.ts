import { useState } from 'preact/hooks';
import type { StudioData } from '../../data/studio-data.js';
import { type FileEdit, type JsonData, type Step, valueAt, withEdit } from '../../save/data-edit.js';
import { isOwnAt } from '../settings/structure.js';

/** Values of a profile that a form changes. */
export interface Changes {
  /** The value at a path with the changes. */
  readonly at: (path: readonly Step[]) => JsonData | undefined;
  readonly set: (path: readonly Step[], value: JsonData) => void;
  readonly edits: readonly FileEdit[];
}

/**
 * Collects changes of the values of a profile as edits of its file. A list that a profile inherits is written whole,
 * because a list replaces the inherited one.
 */
export function useChanges(data: StudioData): Changes {
  const [edits, setEdits] = useState<readonly { readonly path: readonly Step[]; readonly value: JsonData }[]>([]);
  const now = edits.reduce<JsonData | undefined>(
    (document, { path, value }) => withEdit(document, path, value),
    data.editing?.document,
  );
  const set = (path: readonly Step[], value: JsonData) => {
    const inList = isOwnAt(data, path) ? -1 : path.findIndex((step) => typeof step === 'number');
    const target = inList < 0 ? path : path.slice(0, inList);
    const written = valueAt(withEdit(now, path, value), target) ?? value;
    const key = JSON.stringify(target);
    // An edit of a whole includes the earlier edits of its parts.
    const isPart = (one: readonly Step[]): boolean => JSON.stringify(one.slice(0, target.length)) === key;
    setEdits([...edits.filter((edit) => !isPart(edit.path)), { path: target, value: written }]);
  };
  const isChanged = ({ path, value }: (typeof edits)[number]): boolean =>
    JSON.stringify(valueAt(data.editing?.document, path)) !== JSON.stringify(value);
  return { at: (path) => valueAt(now, path), set, edits: edits.filter(isChanged) };
}
