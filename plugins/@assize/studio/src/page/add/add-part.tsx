import { useState } from 'preact/hooks';
import {
  type FileEdit,
  isJsonMap,
  type JsonData,
  scalarText,
  type Step,
  valueAt,
  withEdit,
} from '../../save/data-edit.js';
import { freeId } from '../settings/structure.js';
import { CalculatedFields, useCalculatedValue } from './calculated-value.js';
import { GroupFields } from './condition-fields.js';
import { firstGroup, groupText } from './condition-groups.js';
import { type FieldFacts, fieldFacts, suggestedTexts } from './field-facts.js';
import { fieldText } from './field-text.js';
import { Choice, FieldChoice, TextField } from './inputs.js';
import { NEW_PARTS, type NewPart } from './new-parts.js';
import { NoFields } from './no-fields.js';
import { ToText } from './to-text.js';
import { type AddProps, fileName, TrialDialog } from './trial-dialog.js';
import type { Changes } from './use-changes.js';
import { useTrial } from './use-trial.js';
import { ValueFields } from './value-fields.js';

/** Adds one of the parts that few profiles have, or says why it has no form. */
export function AddPart(props: AddProps) {
  const { model, edit } = props;
  const [data] = useState(model.data);
  const fields = fieldFacts(data.candidates);
  const isWritten = ({ path, form }: NewPart): boolean =>
    form !== 'named' && valueAt(data.editing?.document, path satisfies readonly Step[]) !== undefined;
  const [parts] = useState(() => NEW_PARTS.filter((part) => !isWritten(part)));
  const [part, setPart] = useState(() => parts[0]!);
  const { form, path, about, title } = part;
  const [field, setField] = useState<FieldFacts | undefined>(() => textField(fields));
  const [group, setGroup] = useState(() => field && firstGroup(field));
  const [first, setFirst] = useState<JsonData>();
  const [name, setName] = useState('');
  const calculated = useCalculatedValue(fields, '');
  const id = freeId(data, name || (calculated.simple?.field.name ?? 'statistic'));
  const edits = editsOf();
  const trial = useTrial(model, edits);
  if (!field || !group) return <NoFields {...props} />;

  function editsOf(): readonly FileEdit[] | undefined {
    if (form === 'named') {
      return calculated.text === undefined ? undefined : [{ path: [...path, id], value: { of: calculated.text } }];
    }
    const value = valueOf();
    return value === undefined || value === '' ? undefined : [{ path, value }];
  }

  function valueOf(): JsonData | undefined {
    if (form === 'condition') return group && groupText(group);
    if (form === 'field' || form === 'fields') {
      const text = field && fieldText(field.keys);
      return form === 'fields' && text !== undefined ? [text] : text;
    }
    return first;
  }

  const choose = (next: NewPart) => {
    setPart(next);
    setFirst(typeof next.form === 'object' && 'first' in next.form ? next.form.first(model) : undefined);
  };
  const changes: Changes = {
    at: (at) => valueAt(withEdit({}, path, first ?? ''), at),
    set: (at, value) => setFirst(valueAt(withEdit(withEdit({}, path, first ?? ''), at, value), path)),
    edits: [],
  };
  const hasNoForm = typeof form === 'object' && 'none' in form;
  return (
    <TrialDialog
      {...props}
      title="Add another part"
      {...{ trial }}
      isComplete={edits !== undefined}
      sentence={hasNoForm ? '' : `Will be written to ${fileName(model)} when you save.`}
      action="Add part"
    >
      <Choice
        label="Part"
        value={path.join('.')}
        choices={parts.map((one) => [one.path.join('.'), one.title])}
        choose={(key) => choose(parts.find((one) => one.path.join('.') === key) ?? part)}
      />
      <p class="note" title={path.join('.')}>
        {about}
      </p>
      {(form === 'field' || form === 'fields') && (
        <FieldChoice label="Field" {...{ fields, field }} choose={setField} />
      )}
      {form === 'condition' && <GroupFields {...{ fields, group }} change={setGroup} />}
      {form === 'named' && (
        <>
          <CalculatedFields value={calculated} {...{ fields }} label="Statistic of" />
          <TextField label="Name (optional)" value={name} change={setName} />
          {isJsonMap(data.editing?.document['stats']) && <p class="note">Its name is {scalarText(id)}.</p>}
        </>
      )}
      {typeof form === 'object' && 'first' in form && first !== undefined && (
        <ValueFields {...{ path, changes }} label={title} suggested={suggestedTexts(data.candidates)} />
      )}
      {hasNoForm && <ToText {...{ edit, path }} reason={form.none} />}
    </TrialDialog>
  );
}

/** The field that most probably groups items: a text that several of them share. */
const textField = (fields: readonly FieldFacts[]): FieldFacts | undefined =>
  fields.find(({ frequent }) => (frequent[0]?.count ?? 0) > 1) ?? fields[0];
