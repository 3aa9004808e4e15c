import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { paramsKey, type ParamField } from '../../data/studio-data.js';
import { type JsonData, scalarText, type Step } from '../../save/data-edit.js';
import { counted, inWords, plainName } from '../parts/in-words.js';
import { ExpressionNumbers } from '../recipe/expression-numbers.js';
import { entryIn, type NamedList, withoutEntry } from '../settings/structure.js';
import { suggestedTexts } from './field-facts.js';
import { ParamInput } from './param-input.js';
import { ToText } from './to-text.js';
import { type AddProps, fileName, TrialDialog } from './trial-dialog.js';
import { useChanges } from './use-changes.js';
import { useTrial } from './use-trial.js';
import { LiteralField, typedLike, ValueFields } from './value-fields.js';

interface EntryProps extends AddProps {
  readonly list: NamedList;
  readonly id: string;
}

/** The keys of entries that are edited as text or number, with their labels. */
const KEYS: readonly (readonly [key: string, label: string])[] = [
  ['label', 'Name'],
  ['expr', 'Expression'],
  ['when', 'Condition'],
  ['weight', 'Weight'],
  ['reason', 'Reason that is shown'],
  ['group', 'Group'],
  ['set', 'Set the score to'],
  ['multiply', 'Multiply the score by'],
  ['add', 'Add to the score'],
  ['min', 'The score is at least'],
  ['max', 'The score is at most'],
  ['warn_below', 'Warn below'],
  ['on_absent', 'If a field is absent'],
];
/** The keys that are expressions: their numbers can be edited one by one. */
const EXPRESSIONS = new Set(['expr', 'when', 'weight', 'set', 'multiply', 'add', 'min', 'max']);
/** Keys that are not edited here: params have their own fields, and the switch is in the recipe. */
const OTHER_FORMS = new Set(['id', 'class', 'params', 'enabled', 'before', 'memory']);

/** Edits the keys and params of any entry. Params that name files, hosts or models are shown and not edited. */
export function EditEntry({ list, ...props }: EntryProps) {
  const { model, id } = props;
  const [data] = useState(model.data);
  const entry = entryIn(data, list, id) ?? {};
  const params = data.editing?.params[paramsKey(list, id)] ?? [];
  const changes = useChanges(data);
  const [{ params: setParams, weights }] = useState(model.settled);
  const suggested = suggestedTexts(data.candidates);
  const path = (...keys: readonly Step[]): readonly Step[] => [list, { id }, ...keys];
  // Settings beside the draft, such as those of a slider.
  const besideDraft = (field: ParamField): JsonData | undefined =>
    field.path.length === 1 && list !== 'signals' && list !== 'report' && typeof field.value === 'number'
      ? setParams[id]?.[String(field.path[0])]
      : undefined;
  const valueOf = (keys: readonly Step[], written: JsonData | undefined): JsonData | undefined => {
    const isChanged = changes.edits.some(
      (edit) => 'path' in edit && JSON.stringify(path(...keys)).startsWith(JSON.stringify(edit.path).slice(0, -1)),
    );
    return isChanged ? changes.at(path(...keys)) : written;
  };
  const known = new Map(KEYS);
  const keys = KEYS.filter(([key]) => isSingle(entry[key]) || key === 'label');
  const others = Object.keys(entry).filter((key) => !OTHER_FORMS.has(key) && !(known.has(key) && isSingle(entry[key])));
  const fieldOf = (field: ParamField) => (
    <ParamInput
      key={field.path.join('.')}
      {...{ field, suggested }}
      value={valueOf(['params', ...field.path], besideDraft(field) ?? field.value)}
      change={(value) => changes.set(path('params', ...field.path), value)}
    />
  );
  const unset = params.filter(({ isUnset = false, readOnly = false }) => isUnset && !readOnly);
  const trial = useTrial(model, changes.edits);
  return (
    <TrialDialog
      {...props}
      title={`Edit ${plainName(model, id)}`}
      {...{ trial }}
      isComplete
      sentence={`Will be written to ${fileName(model)} when you save: ${changes.edits.length === 0 ? 'nothing yet' : `${counted(changes.edits.length, 'changed value')} of ${plainName(model, id)}`}.`}
      action="Change"
      more={
        <>
          <RemoveEntry {...props} {...{ list }} />
          <ToText edit={props.edit} path={path()} />
        </>
      }
    >
      {keys.map(([key, label]) => {
        const text = scalarText(valueOf([key], (key === 'weight' ? weights[id] : undefined) ?? entry[key] ?? ''));
        const set = (next: string) => changes.set(path(key), typedLike(entry[key], next));
        const hasNumbers = EXPRESSIONS.has(key) && typeof entry[key] === 'string' && /\d/.test(text);
        return (
          <Fragment key={key}>
            <LiteralField
              {...{ label }}
              value={text}
              like={entry[key]}
              change={(value) => changes.set(path(key), value)}
            />
            {hasNumbers && (
              <p class="note">
                <ExpressionNumbers {...{ text, set }} name={label.toLowerCase()} />
              </p>
            )}
          </Fragment>
        );
      })}
      {params.filter(({ isUnset = false }) => !isUnset).map(fieldOf)}
      {others.map((key) => (
        <ValueFields key={key} path={path(key)} label={inWords(key)} {...{ changes, suggested }} />
      ))}
      {unset.length > 0 && (
        <details>
          <summary>{counted(unset.length, 'more setting')}</summary>
          <div class="fields">{unset.map(fieldOf)}</div>
        </details>
      )}
    </TrialDialog>
  );
}

const isSingle = (value: JsonData | undefined): boolean => typeof value === 'string' || typeof value === 'number';

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
