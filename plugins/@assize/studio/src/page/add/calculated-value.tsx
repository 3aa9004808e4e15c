import { useState } from 'preact/hooks';
import { type Arithmetic, arithmeticIn, arithmeticText, SIGN_WORDS, SIGNS } from './arithmetic.js';
import type { FieldFacts } from './field-facts.js';
import { Choice, FieldChoice, NumberField, TextField } from './inputs.js';

/** A value of each item that is chosen: a field in a calculation, or any expression. */
export interface CalculatedValue {
  /** Undefined if it is any expression. */
  readonly simple: Arithmetic | undefined;
  /** The expression; undefined while it is not complete. */
  readonly text: string | undefined;
  readonly choose: (simple: Arithmetic | undefined) => void;
  readonly type: (text: string) => void;
}

/** @param written the expression in the file; empty for a new value */
export function useCalculatedValue(fields: readonly FieldFacts[], written: string): CalculatedValue {
  const [simple, setSimple] = useState(() => (written === '' ? firstOf(fields) : arithmeticIn(written, fields)));
  const [typed, setTyped] = useState(written);
  const text = simple ? arithmeticText(simple) : typed;
  const choose = (next: Arithmetic | undefined) => {
    if (!next) setTyped(text ?? '');
    setSimple(next);
  };
  return { simple, text: text === '' ? undefined : text, choose, type: setTyped };
}

function firstOf(fields: readonly FieldFacts[]): Arithmetic | undefined {
  const numbers = fields.filter(({ type }) => type === 'number');
  const field = numbers.find(({ name }) => !/(?:^|_)id$/i.test(name)) ?? numbers[0];
  return field && { field, sign: '/', number: 1 };
}

interface CalculatedFieldsProps {
  readonly value: CalculatedValue;
  readonly fields: readonly FieldFacts[];
  readonly label?: string;
}

/** The controls of a calculated value. */
export function CalculatedFields({ value, fields, label = 'The value is' }: CalculatedFieldsProps) {
  const { simple, text = '', choose, type } = value;
  const first = firstOf(fields);
  return (
    <>
      <Choice
        {...{ label }}
        value={simple ? 'field' : 'text'}
        choices={[...(first ? [['field', 'a field with a number'] as const] : []), ['text', 'an expression'] as const]}
        choose={(kind) => choose(kind === 'field' ? (simple ?? first) : undefined)}
      />
      {simple ? (
        <>
          <FieldChoice
            label="Field"
            fields={fields.filter((field) => field.type === 'number')}
            field={simple.field}
            choose={(field) => choose({ ...simple, field })}
          />
          <Choice
            label="Calculation"
            value={simple.sign}
            choices={SIGNS.map((one) => [one, SIGN_WORDS[one]])}
            choose={(sign) => choose({ ...simple, sign })}
          />
          <NumberField label="Number" value={simple.number} change={(number) => choose({ ...simple, number })} />
        </>
      ) : (
        <TextField label="Expression" required value={text} change={type} />
      )}
    </>
  );
}
