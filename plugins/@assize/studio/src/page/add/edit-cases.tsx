import { useState } from 'preact/hooks';
import { type FileEdit, isJsonMap, type JsonData, scalarText, valueAt } from '../../save/data-edit.js';
import { plainName } from '../parts/in-words.js';
import { casesOf } from '../settings/settings.js';
import { fieldFacts } from './field-facts.js';
import { fieldText } from './field-text.js';
import { FieldChoice, TextField, ValuesChoice } from './inputs.js';
import { NoFields } from './no-fields.js';
import { RemovePart } from './remove-part.js';
import { type AddProps, fileName, TrialDialog } from './trial-dialog.js';
import { useTrial } from './use-trial.js';

/** Weights by the id of a scorer, as typed; empty for the scorer's own weight. */
type TypedWeights = Readonly<Record<string, string>>;

/** Adds weights that differ for some values of a field (`weights`), or edits them. */
export function EditCases(props: AddProps) {
  const { model } = props;
  const [data] = useState(model.data);
  const fields = fieldFacts(data.candidates).filter(({ type }) => type === 'text');
  const written = data.editing?.document['weights'];
  const by = isJsonMap(written) ? scalarText(written['by']) : undefined;
  const [before] = useState(() => typedCases(casesOf(data.profile)));
  const [set] = useState(model.settled.cases);
  const byWritten = fields.find(({ keys }) => fieldText(keys) === by);
  const [field, setField] = useState(
    byWritten ?? fields.find(({ frequent }) => (frequent[0]?.count ?? 0) > 1) ?? fields[0],
  );
  const [isOther, setOther] = useState(by !== undefined && byWritten === undefined);
  const [cases, setCases] = useState(() => merged(before, typedCases(set)));
  const names = Object.keys(cases);
  const weights = names.flatMap((name) => Object.values(cases[name]!));
  const isComplete = weights.some((text) => text !== '') && weights.every((text) => text === '' || Number(text) >= 0);
  const trial = useTrial(model, isComplete ? caseEdits() : undefined);
  if (!field) return <NoFields {...props} />;
  const isInherited = (name: string): boolean =>
    data.editing?.origins['']?.['weights'] !== 'own' && before[name] !== undefined;

  function caseEdits(): readonly FileEdit[] {
    const byNow = isOther || !field ? (by ?? '') : fieldText(field.keys);
    if (by === undefined) return [{ path: ['weights'], value: { by: byNow, cases: numbersIn(cases) } }];
    const now = numbersIn(cases);
    const path = ['weights', 'cases'];
    return [
      ...(byNow === by ? [] : [{ path: ['weights', 'by'], value: byNow }]),
      ...Object.entries(now).flatMap(([name, own]): readonly FileEdit[] =>
        before[name] === undefined
          ? [{ path: [...path, name], value: own }]
          : Object.entries(own).flatMap(([id, value]) =>
              valueAt(written, ['cases', name, id]) === value ? [] : [{ path: [...path, name, id], value }],
            ),
      ),
      ...Object.entries(before).flatMap(([name, own]): readonly FileEdit[] => {
        if (now[name] === undefined) return [{ path: [...path, name], remove: true }];
        return Object.keys(own).flatMap((id) =>
          now[name]![id] === undefined ? [{ path: [...path, name, id], remove: true as const }] : [],
        );
      }),
    ];
  }

  const choose = (chosen: readonly string[]) => {
    const kept = [...chosen, ...names.filter((name) => isInherited(name) && !chosen.includes(name))];
    setCases(Object.fromEntries(kept.map((name) => [name, cases[name] ?? {}])));
  };
  return (
    <TrialDialog
      {...props}
      title={by === undefined ? 'Add weights by group' : 'Edit the weights by group'}
      {...{ trial, isComplete }}
      sentence={`Writes to ${fileName(model)}: candidates whose ${isOther ? by : field.name} is ${names.map((name) => `“${name}”`).join(' or ') || 'one of the chosen values'} have weights of their own.`}
      action={by === undefined ? 'Add weights' : 'Change'}
      more={by !== undefined && <RemovePart {...props} path={['weights']} name="The weights by group" />}
    >
      <FieldChoice
        label="Field that says the group"
        {...{ fields, field }}
        choose={(next) => {
          setField(next);
          setOther(false);
        }}
        other={
          by !== undefined && !byWritten ? { words: by, isChosen: isOther, choose: () => setOther(true) } : undefined
        }
      />
      <ValuesChoice label="Groups" {...{ field }} values={names} change={choose} />
      {names.some(isInherited) && (
        <p class="note">A profile cannot remove a group that it inherits. It can change the weights.</p>
      )}
      {names.map((name) => (
        <fieldset key={name} class="values group">
          <legend>Weights for {name}</legend>
          {model.scorers.map(({ id, weight }) => (
            <TextField
              key={id}
              label={`${plainName(model, id)} (empty: ${weight})`}
              value={cases[name]?.[id] ?? ''}
              change={(text) => setCases({ ...cases, [name]: { ...cases[name], [id]: text } })}
            />
          ))}
        </fieldset>
      ))}
    </TrialDialog>
  );
}

type Cases = Readonly<Record<string, TypedWeights>>;

const typedCases = (cases: Readonly<Record<string, Readonly<Record<string, number>>>>): Cases =>
  Object.fromEntries(
    Object.entries(cases).map(([name, own]) => [
      name,
      Object.fromEntries(Object.entries(own).map(([id, weight]) => [id, String(weight)])),
    ]),
  );

const merged = (written: Cases, set: Cases): Cases =>
  Object.fromEntries(Object.entries(written).map(([name, own]) => [name, { ...own, ...set[name] }]));

/** The cases with a weight. */
function numbersIn(cases: Cases): Readonly<Record<string, Readonly<Record<string, JsonData>>>> {
  const numbers = Object.entries(cases).map(([name, own]) => {
    const typed = Object.entries(own).filter(([, text]) => text.trim() !== '');
    return [name, Object.fromEntries(typed.map(([id, text]) => [id, Number(text)]))] as const;
  });
  return Object.fromEntries(numbers.filter(([, own]) => Object.keys(own).length > 0));
}
