import { useState } from 'preact/hooks';
import { type FileEdit, isJsonMap, type JsonData, scalarText } from '../../save/data-edit.js';
import { selectEdit, selectionIn } from '../settings/structure.js';
import { TextField } from './inputs.js';
import { type AddProps, fileName, TrialDialog } from './trial-dialog.js';
import { useTrial } from './use-trial.js';

/** Edits how many are selected, the lowest score, and the budget if the profile has one. */
export function EditSelection(props: AddProps) {
  const { model } = props;
  const [data] = useState(model.data);
  const [select] = useState(() => selectionIn(data));
  const pack = isJsonMap(select['pack']) ? select['pack'] : undefined;
  const budget = pack?.['budget'];
  const isMap = isJsonMap(budget);
  const [first] = useState({
    top: model.settled.top ?? select['top'],
    least: model.settled.minScore ?? select['min_score'],
  });
  const [top, setTop] = useState(scalarText(first.top));
  const [least, setLeast] = useState(scalarText(first.least));
  const [most, setMost] = useState(scalarText(isMap ? (budget['max'] ?? budget['target']) : budget));
  const budgetPath = ['select', 'pack', 'budget', ...(isMap ? [budget['max'] === undefined ? 'target' : 'max'] : [])];
  const own = data.editing?.origins['select'] ?? {};
  const edits = [
    ...keyEdit('top', top, first.top, own['top'] === 'own'),
    ...keyEdit('min_score', least, first.least, own['min_score'] === 'own'),
    ...(pack && most !== '' && most !== scalarText(isMap ? (budget['max'] ?? budget['target']) : budget)
      ? [{ path: budgetPath, value: valueOf(most) }]
      : []),
  ];
  const trial = useTrial(model, edits);
  const parts = [
    top === '' ? 'all that are ranked' : `at most ${top}`,
    ...(least === '' ? [] : [`with a score of at least ${least}`]),
    ...(pack && most !== '' ? [`within a budget of ${most}`] : []),
  ];
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
      {pack && <TextField label="Budget" value={most} change={setMost} />}
    </TrialDialog>
  );
}

/** A number, or an expression on the context. */
const valueOf = (text: string): JsonData => (Number.isFinite(Number(text)) ? Number(text) : text);

function keyEdit(key: string, text: string, before: JsonData | undefined, isOwn: boolean): readonly FileEdit[] {
  if (text.trim() === scalarText(before)) return [];
  if (text.trim() !== '') return [selectEdit(key, valueOf(text.trim()))];
  return isOwn ? [selectEdit(key, undefined)] : [];
}
