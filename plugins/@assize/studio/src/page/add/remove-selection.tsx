import { selectEdit, withFileEdits } from '../settings/structure.js';
import type { AddProps } from './trial-dialog.js';

/** A button that removes a key of the selection. An inherited one cannot be removed, because no value means none. */
export function RemoveSelection({ model, report, close, name }: AddProps & { readonly name: string }) {
  if (model.data.editing?.origins['select']?.[name] !== 'own') return null;
  const remove = () => {
    const isSaved = model.saved.editing?.origins['select']?.[name] !== undefined;
    const { settled } = model;
    const next = isSaved
      ? withFileEdits(settled, [selectEdit(name, undefined)])
      : {
          ...settled,
          edits: settled.edits.filter(
            (edit) => !('path' in edit && edit.path[0] === 'select' && edit.path[1] === name),
          ),
        };
    model.set(next).then(close, report);
  };
  return (
    <button type="button" onClick={remove}>
      Remove
    </button>
  );
}
