import { useState } from 'preact/hooks';
import { isJsonMap, type JsonData, scalarText } from '../../save/data-edit.js';
import { freeId } from '../settings/structure.js';
import { CalculatedFields, useCalculatedValue } from './calculated-value.js';
import { fieldFacts } from './field-facts.js';
import { TextField } from './inputs.js';
import { RemovePart } from './remove-part.js';
import { type AddProps, fileName, TrialDialog } from './trial-dialog.js';
import { typedLike } from './value-fields.js';
import { useTrial } from './use-trial.js';

/** Adds a value with a name (`let`), which expressions read, or edits one: a field with a number, or any expression. */
export function EditValue(props: AddProps) {
  const { model, id: written } = props;
  const [data] = useState(model.data);
  const fields = fieldFacts(data.candidates);
  const [before] = useState(() => {
    const values = data.editing?.document['let'];
    return written !== undefined && isJsonMap(values) ? values[written] : undefined;
  });
  const chosen = useCalculatedValue(fields, scalarText(before));
  const { simple, text } = chosen;
  const [name, setName] = useState('');
  const id = written ?? freeId(data, name === '' ? `${simple?.field.name ?? 'value'} value` : name);
  const value: JsonData | undefined = simple || text === undefined ? text : typedLike(before, text);
  const trial = useTrial(model, value !== undefined && value !== before ? [{ path: ['let', id], value }] : []);
  return (
    <TrialDialog
      {...props}
      title={written === undefined ? 'Add a named value' : `Edit the value ${written}`}
      {...{ trial }}
      isComplete={value !== undefined}
      sentence={`Writes to ${fileName(model)}: expressions can read ${id}, which is ${scalarText(value)}.`}
      action={written === undefined ? 'Add value' : 'Change'}
      more={written !== undefined && <RemovePart {...props} path={['let', written]} name={written} />}
    >
      <CalculatedFields value={chosen} {...{ fields }} />
      {written === undefined && <TextField label="Name (optional)" value={name} change={setName} />}
    </TrialDialog>
  );
}
