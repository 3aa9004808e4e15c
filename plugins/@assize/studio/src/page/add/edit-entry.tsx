import { useState } from 'preact/hooks';
import type { ParamField } from '../../data/studio-data.js';
import { type FileEdit, type JsonData, scalarText } from '../../save/data-edit.js';
import { type EntryList, entryIn, withoutEntry } from '../settings/structure.js';
import { inWords } from '../parts/in-words.js';
import { Choice, Labelled, TextField } from './inputs.js';
import { type AddProps, fileName, TrialDialog } from './trial-dialog.js';
import { useTrial } from './use-trial.js';

interface EntryProps extends AddProps {
  readonly list: EntryList;
  readonly id: string;
}

/** The keys of entries that are edited as text or number, with their labels. */
const KEYS: readonly (readonly [key: string, label: string])[] = [
  ['label', 'Name'],
  ['expr', 'Expression'],
  ['when', 'Condition'],
  ['weight', 'Weight'],
  ['reason', 'Reason that is shown'],
  ['set', 'Set the score to'],
  ['multiply', 'Multiply the score by'],
  ['add', 'Add to the score'],
  ['min', 'The score is at least'],
  ['max', 'The score is at most'],
  ['on_absent', 'If a field is absent'],
];

/** Edits the keys and params of any entry. Params that name files, hosts or models are shown and not edited. */
export function EditEntry({ list, ...props }: EntryProps) {
  const { model, id } = props;
  const [data] = useState(model.data);
  const entry = entryIn(data, list, id) ?? {};
  const params = data.editing?.params[id] ?? [];
  const [changed, setChanged] = useState<Readonly<Record<string, JsonData>>>({});
  const [{ params: setParams, weights }] = useState(model.settled);
  const set = (path: readonly string[], value: JsonData) => setChanged({ ...changed, [JSON.stringify(path)]: value });
  const valueOf = (path: readonly string[], written: JsonData): JsonData => changed[JSON.stringify(path)] ?? written;
  // Settings beside the draft, such as those of a slider.
  const paramNow = ({ path, value }: ParamField): JsonData =>
    path.length === 1 ? (setParams[id]?.[path[0]!] ?? value) : value;
  const keys = KEYS.filter(([key]) => isSingle(entry[key]) || key === 'label');
  const edits = Object.entries(changed).map(
    ([path, value]): FileEdit => ({ path: [list, { id }, ...(JSON.parse(path) as string[])], value }),
  );
  const trial = useTrial(model, edits);
  return (
    <TrialDialog
      {...props}
      title={`Edit ${model.nameOf(id)}`}
      {...{ trial }}
      isComplete
      sentence={`Will be written to ${fileName(model)} when you save: ${edits.length === 0 ? 'nothing yet' : `${edits.length} changed values of ${model.nameOf(id)}`}.`}
      action="Change"
      more={<RemoveEntry {...props} {...{ list }} />}
    >
      {keys.map(([key, label]) => (
        <TextField
          key={key}
          {...{ label }}
          value={scalarText(valueOf([key], (key === 'weight' ? weights[id] : undefined) ?? entry[key] ?? ''))}
          change={(text) => set([key], typedLike(entry[key], text))}
        />
      ))}
      {params.map((field) => (
        <ParamInput
          key={field.path.join('.')}
          {...{ field }}
          value={valueOf(['params', ...field.path], paramNow(field))}
          change={(value) => set(['params', ...field.path], value)}
        />
      ))}
    </TrialDialog>
  );
}

const isSingle = (value: JsonData | undefined): boolean => typeof value === 'string' || typeof value === 'number';

/** A text that is typed instead of a number is a number again, if it can be read as one. */
const typedLike = (before: JsonData | undefined, text: string): JsonData =>
  typeof before === 'number' && text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;

interface ParamInputProps {
  readonly field: ParamField;
  readonly value: JsonData;
  readonly change: (value: JsonData) => void;
}

/** One param, by its type. */
function ParamInput({ field, value, change }: ParamInputProps) {
  const { path, choices, readOnly = false, description } = field;
  const label = inWords(path.join(' '));
  if (typeof field.value === 'boolean') {
    return (
      <label class="row" title={description}>
        <input
          type="checkbox"
          checked={value === true}
          disabled={readOnly}
          onChange={({ currentTarget }) => change(currentTarget.checked)}
        />
        {label}
      </label>
    );
  }
  if (readOnly) {
    return (
      <Labelled
        label={`${label} (can only be changed in the file)`}
        control={(id) => <input {...{ id }} value={scalarText(value)} readOnly />}
      />
    );
  }
  return choices ? (
    <Choice {...{ label }} value={scalarText(value)} choices={choices.map((one) => [one, one])} choose={change} />
  ) : (
    <TextField {...{ label }} value={scalarText(value)} change={(text) => change(typedLike(field.value, text))} />
  );
}

/** A button that removes an entry, or switches it off if it is inherited. */
export function RemoveEntry({ model, report, close, list, id }: EntryProps) {
  const isOwn = model.data.editing?.origins[list]?.[id] === 'own';
  const remove = () => {
    const { data, saved, settled } = model;
    model.set(withoutEntry({ data, saved, settings: settled }, list, id)).then(close, report);
  };
  return (
    <button type="button" onClick={remove}>
      {isOwn ? 'Remove' : 'Switch off'}
    </button>
  );
}
