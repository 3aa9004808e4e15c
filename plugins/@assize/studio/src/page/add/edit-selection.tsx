import { useState } from 'preact/hooks';
import { type FileEdit, type JsonData, scalarText } from '../../save/data-edit.js';
import { NO_LIMIT, selectEdit, selectionIn } from '../settings/structure.js';
import { TextField } from './inputs.js';
import { type AddProps, fileName, TrialDialog } from './trial-dialog.js';
import { useTrial } from './use-trial.js';

/** Replaces an inherited lowest score, which cannot be removed. */
const NO_LEAST = -NO_LIMIT;

/** Edits how many are selected, and the lowest score. */
export function EditSelection(props: AddProps) {
  const { model } = props;
  const [data] = useState(model.data);
  const [select] = useState(() => selectionIn(data));
  const [first] = useState({
    top: model.settled.top ?? select['top'],
    least: model.settled.minScore ?? select['min_score'],
  });
  const [top, setTop] = useState(scalarText(first.top));
  const [least, setLeast] = useState(scalarText(first.least));
  const own = data.editing?.origins['select'] ?? {};
  const edits = [
    ...keyEdit('top', top, first.top, own['top'] === 'own' ? undefined : NO_LIMIT),
    ...keyEdit('min_score', least, first.least, own['min_score'] === 'own' ? undefined : NO_LEAST),
  ];
  const trial = useTrial(model, edits);
  const parts = [
    top === '' ? 'all that are ranked' : `at most ${top}`,
    ...(least === '' ? [] : [`with a score of at least ${least}`]),
  ];
  const isInherited = edits.some((edit) => 'value' in edit && (edit.value === NO_LIMIT || edit.value === NO_LEAST));
  return (
    <TrialDialog
      {...props}
      title="How many are selected"
      {...{ trial }}
      isComplete
      sentence={`Will be written to ${fileName(model)} when you save: it selects ${parts.join(', ')}.`}
      action="Change"
    >
      <TextField label="At most this many (empty: all)" value={top} change={setTop} />
      <TextField label="Lowest score (empty: any)" value={least} change={setLeast} />
      {isInherited && (
        <p class="note">
          A profile cannot remove a limit that it inherits. This file sets a limit that has no effect instead.
        </p>
      )}
    </TrialDialog>
  );
}

/** A number, or an expression on the context. */
const valueOf = (text: string): JsonData => (Number.isFinite(Number(text)) ? Number(text) : text);

/** @param neutral replaces an inherited limit that is emptied; undefined if the limit can be removed */
function keyEdit(
  key: string,
  text: string,
  before: JsonData | undefined,
  neutral: number | undefined,
): readonly FileEdit[] {
  if (text.trim() === scalarText(before)) return [];
  return [selectEdit(key, text.trim() === '' ? neutral : valueOf(text.trim()))];
}
