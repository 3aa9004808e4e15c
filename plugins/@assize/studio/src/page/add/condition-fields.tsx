import {
  type Condition,
  firstCondition,
  firstValues,
  needsValue,
  type Operator,
  OPERATOR_WORDS,
  OPERATORS,
} from './conditions.js';
import type { FieldFacts } from './field-facts.js';
import { Choice, FieldChoice, TextField, ValuesChoice } from './inputs.js';

interface ConditionFieldsProps {
  readonly fields: readonly FieldFacts[];
  readonly condition: Condition;
  readonly change: (condition: Condition) => void;
}

/** A field, an operator and a value. */
export function ConditionFields({ fields, condition, change }: ConditionFieldsProps) {
  const { field, operator, values } = condition;
  const choose = (next: Operator) =>
    change({ ...condition, operator: next, values: values.length > 0 ? values : firstValues(field, next) });
  const isText = field.type === 'text' || field.type === 'list';
  return (
    <>
      <FieldChoice label="Field" {...{ fields, field }} choose={(next) => change(firstCondition(next))} />
      <Choice
        label="Comparison"
        value={operator}
        choices={OPERATORS[field.type].map((one) => [one, OPERATOR_WORDS[one]])}
        choose={choose}
      />
      {needsValue(operator) && isText && (
        <ValuesChoice label="Values" {...{ field, values }} change={(next) => change({ ...condition, values: next })} />
      )}
      {needsValue(operator) && !isText && (
        <TextField
          label="Value"
          type={field.type === 'date' ? 'date' : 'text'}
          required
          value={values[0] ?? ''}
          change={(text) => change({ ...condition, values: [text] })}
        />
      )}
    </>
  );
}
