import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type FieldFacts, fieldNote } from './field-facts.js';
import { useUniqueId } from '../parts/unique-id.js';

interface LabelledProps {
  readonly label: string;
  /** Draws the control with this id. */
  readonly control: (id: string) => ComponentChildren;
}

/** A control below its label. */
export function Labelled({ label, control }: LabelledProps) {
  const id = useUniqueId();
  return (
    <div class="labelled">
      <label for={id}>{label}</label>
      {control(id)}
    </div>
  );
}

interface ChoiceProps<Name extends string> {
  readonly label: string;
  readonly value: Name;
  readonly choices: readonly (readonly [name: Name, words: string])[];
  readonly choose: (name: Name) => void;
}

/** One of several. */
export function Choice<Name extends string>({ label, value, choices, choose }: ChoiceProps<Name>) {
  return (
    <Labelled
      label={label}
      control={(id) => (
        <select
          id={id}
          value={value}
          onChange={({ currentTarget }) => {
            const chosen = choices[currentTarget.selectedIndex];
            if (chosen) choose(chosen[0]);
          }}
        >
          {choices.map(([name, words]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </select>
      )}
    />
  );
}

/** What the file has instead of one field, such as an expression or several fields. */
export interface OtherThanField {
  readonly words: string;
  readonly isChosen: boolean;
  readonly choose: () => void;
}

interface FieldChoiceProps {
  readonly label: string;
  readonly fields: readonly FieldFacts[];
  readonly field: FieldFacts;
  readonly choose: (field: FieldFacts) => void;
  /** Can be chosen as well; undefined if the file has one field, or nothing. */
  readonly other?: OtherThanField | undefined;
}

/** The name of the option that is not a field. A field cannot have it. */
const OTHER = '\0';

/** A field of the candidates, with a note about its values. */
export function FieldChoice({ label, fields, field, choose, other }: FieldChoiceProps) {
  const isOther = other?.isChosen === true;
  return (
    <>
      <Choice
        label={label}
        value={isOther ? OTHER : field.name}
        choices={[
          ...(other ? [[OTHER, other.words] as const] : []),
          ...fields.map(({ name }) => [name, name] as const),
        ]}
        choose={(name) => {
          if (name === OTHER) other?.choose();
          else choose(fields.find((one) => one.name === name) ?? field);
        }}
      />
      {!isOther && (
        <p class="note">
          {fieldNote(field)}; first: {field.samples.join(', ')}
        </p>
      )}
    </>
  );
}

interface NumberFieldProps {
  readonly label: string;
  readonly value: number;
  readonly min?: number;
  readonly max?: number;
  readonly step?: number | 'any';
  readonly change: (value: number) => void;
}

/** A number that is used as it is typed. NaN while it is not a number. */
export function NumberField({ label, value, change, step = 'any', ...bounds }: NumberFieldProps) {
  const [typed, setTyped] = useState<string>();
  return (
    <Labelled
      label={label}
      control={(id) => (
        <input
          id={id}
          type="number"
          required
          step={step}
          {...bounds}
          value={typed ?? String(value)}
          onInput={({ currentTarget: { value: text, valueAsNumber } }) => {
            setTyped(text);
            change(valueAsNumber);
          }}
          onBlur={() => setTyped(undefined)}
        />
      )}
    />
  );
}

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly type?: 'text' | 'date';
  readonly required?: boolean;
  readonly disabled?: boolean;
  readonly change: (text: string) => void;
}

/** A text that is used as it is typed. */
export function TextField({ label, change, type = 'text', ...rest }: TextFieldProps) {
  const input = { ...rest, onInput: (event: InputEvent) => change((event.target as HTMLInputElement).value) };
  return (
    <Labelled
      label={label}
      control={(id) =>
        type === 'date' ? <input type="date" {...{ id }} {...input} /> : <input {...{ id }} {...input} />
      }
    />
  );
}

interface SuggestedFieldProps {
  readonly label: string;
  readonly value: string;
  readonly suggested: readonly string[];
  readonly title?: string | undefined;
  readonly change: (text: string) => void;
}

/** A text that is typed, or chosen from suggestions. */
export function SuggestedField({ label, value, suggested, title, change }: SuggestedFieldProps) {
  const options = useUniqueId();
  return (
    <>
      <Labelled
        {...{ label }}
        control={(id) => (
          <input
            {...{ id, title, value }}
            list={options}
            autocomplete="off"
            onInput={({ currentTarget }) => change(currentTarget.value)}
          />
        )}
      />
      <datalist id={options}>
        {suggested.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </>
  );
}

interface ValuesChoiceProps {
  readonly label: string;
  readonly field: FieldFacts;
  readonly values: readonly string[];
  readonly change: (values: readonly string[]) => void;
}

/** Some of the texts that a field has, the most frequent first, and others that are typed. */
export function ValuesChoice({ label, field, values, change }: ValuesChoiceProps) {
  const [other, setOther] = useState('');
  // The values that are chosen at first lead, because the list scrolls. Later ones stay in place.
  const [first] = useState(values);
  const offered = [...new Set([...first, ...field.frequent.map(({ value }) => value), ...values])];
  const counts = new Map(field.frequent.map(({ value, count }) => [value, count]));
  const toggle = (value: string) =>
    change(values.includes(value) ? values.filter((one) => one !== value) : [...values, value]);
  const add = () => {
    if (other !== '' && !values.includes(other)) change([...values, other]);
    setOther('');
  };
  return (
    <fieldset class="values">
      <legend>{label}</legend>
      <div class="scroll" tabIndex={-1}>
        {offered.map((value) => (
          <label key={value} class="row">
            <input type="checkbox" checked={values.includes(value)} onChange={() => toggle(value)} />
            <span>{value}</span>
            <small>{counts.get(value) ?? ''}</small>
          </label>
        ))}
      </div>
      <div class="row">
        <input
          aria-label="Another value"
          placeholder="Another value"
          value={other}
          onInput={({ currentTarget }) => setOther(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            add();
          }}
        />
        <button type="button" onClick={add} disabled={other === ''}>
          Add value
        </button>
      </div>
    </fieldset>
  );
}
