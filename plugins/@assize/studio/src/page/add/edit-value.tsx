import { useState } from 'preact/hooks';
import { isJsonMap, type JsonData, scalarText } from '../../save/data-edit.js';
import { freeId } from '../settings/structure.js';
import { arithmeticIn, arithmeticText, type Arithmetic, SIGN_WORDS, SIGNS } from './arithmetic.js';
import { fieldFacts } from './field-facts.js';
import { Choice, FieldChoice, NumberField, TextField } from './inputs.js';
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
  const first = fields.find(({ type }) => type === 'number');
  const [simple, setSimple] = useState((): Arithmetic | undefined => {
    if (before !== undefined) return arithmeticIn(scalarText(before), fields);
    return first && { field: first, sign: '/', number: 1 };
  });
  const [text, setText] = useState(scalarText(before));
  const [name, setName] = useState('');
  const id = written ?? freeId(data, name === '' ? `${simple?.field.name ?? 'value'} value` : name);
  const value: JsonData | undefined = simple ? arithmeticText(simple) : typedLike(before, text);
  const isComplete = value !== undefined && value !== '';
  const trial = useTrial(model, isComplete && value !== before ? [{ path: ['let', id], value }] : []);
  return (
    <TrialDialog
      {...props}
      title={written === undefined ? 'Add a named value' : `Edit the value ${written}`}
      {...{ trial, isComplete }}
      sentence={`Writes to ${fileName(model)}: expressions can read ${id}, which is ${scalarText(value)}.`}
      action={written === undefined ? 'Add value' : 'Change'}
      more={written !== undefined && <RemovePart {...props} path={['let', written]} name={written} />}
    >
      <Choice
        label="The value is"
        value={simple ? 'field' : 'text'}
        choices={[...(first ? [['field', 'a field with a number'] as const] : []), ['text', 'an expression'] as const]}
        choose={(kind) => {
          if (kind === 'text') setText(scalarText(value));
          setSimple(kind === 'field' && first ? (simple ?? { field: first, sign: '/', number: 1 }) : undefined);
        }}
      />
      {simple ? (
        <>
          <FieldChoice
            label="Field"
            fields={fields.filter(({ type }) => type === 'number')}
            field={simple.field}
            choose={(field) => setSimple({ ...simple, field })}
          />
          <Choice
            label="Calculation"
            value={simple.sign}
            choices={SIGNS.map((one) => [one, SIGN_WORDS[one]])}
            choose={(sign) => setSimple({ ...simple, sign })}
          />
          <NumberField label="Number" value={simple.number} change={(number) => setSimple({ ...simple, number })} />
        </>
      ) : (
        <TextField label="Expression" required value={text} change={setText} />
      )}
      {written === undefined && <TextField label="Name (optional)" value={name} change={setName} />}
    </TrialDialog>
  );
}
