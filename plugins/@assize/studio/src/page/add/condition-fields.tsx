import {
  type Condition,
  countsParts,
  firstCondition,
  firstValues,
  needsValue,
  type Operator,
  OPERATORS,
  operatorWords,
} from './conditions.js';
import { type ConditionGroup, firstGroup, isGroup } from './condition-groups.js';
import type { FieldFacts } from './field-facts.js';
import { Choice, FieldChoice, TextField, ValuesChoice } from './inputs.js';

interface GroupFieldsProps {
  readonly fields: readonly FieldFacts[];
  readonly group: ConditionGroup;
  readonly change: (group: ConditionGroup) => void;
  /** The name of the group, if it is in another one. */
  readonly name?: string;
}

/** One or several conditions: whether all or any must hold, and groups of them. */
export function GroupFields({ fields, group, change, name }: GroupFieldsProps) {
  const { join, parts } = group;
  const set = (next: ConditionGroup['parts']) => change({ join, parts: next });
  const field = fields.find(({ name: one }) => one !== 'id') ?? fields[0];
  const [first] = parts;
  const isAlone = parts.length === 1 && first !== undefined && !isGroup(first);
  const title = (k: number): string => `${name === undefined ? '' : `${name}, `}condition ${k + 1}`;
  return (
    <>
      {!isAlone && (
        <Choice
          label={name === undefined ? 'Matches if' : `${name} matches if`}
          value={join}
          choices={[
            ['all', 'all of these are true'],
            ['any', 'any of these is true'],
          ]}
          choose={(next) => change({ join: next, parts })}
        />
      )}
      {isAlone ? (
        <ConditionFields {...{ fields }} condition={first} change={(next) => set([next])} />
      ) : (
        parts.map((part, k) => (
          <fieldset key={k} class="values group">
            <legend>{isGroup(part) ? `Group ${k + 1}` : capital(title(k))}</legend>
            {isGroup(part) ? (
              <GroupFields
                {...{ fields }}
                group={part}
                name={`Group ${k + 1}`}
                change={(next) => set(parts.with(k, next))}
              />
            ) : (
              <ConditionFields {...{ fields }} condition={part} change={(next) => set(parts.with(k, next))} />
            )}
            {parts.length > 1 && (
              <div class="row">
                <button type="button" onClick={() => set(parts.toSpliced(k, 1))}>
                  Remove {isGroup(part) ? `group ${k + 1}` : title(k)}
                </button>
              </div>
            )}
          </fieldset>
        ))
      )}
      {field && (
        <div class="row">
          <button type="button" onClick={() => set([...parts, firstCondition(field)])}>
            {name === undefined ? 'Add a condition' : `Add a condition to ${name.toLowerCase()}`}
          </button>
          {name === undefined && (
            <button type="button" onClick={() => set([...parts, { ...firstGroup(field), join: 'any' }])}>
              Add a group
            </button>
          )}
        </div>
      )}
    </>
  );
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

interface ConditionFieldsProps {
  readonly fields: readonly FieldFacts[];
  readonly condition: Condition;
  readonly change: (condition: Condition) => void;
}

/** A field, an operator and a value. */
function ConditionFields({ fields, condition, change }: ConditionFieldsProps) {
  const { field, operator, values } = condition;
  const choose = (next: Operator) =>
    change({
      field,
      operator: next,
      values: values.length > 0 && countsParts(next) === countsParts(operator) ? values : firstValues(field, next),
    });
  const counts = countsParts(operator);
  const isText = !counts && (field.type === 'text' || field.type === 'list');
  return (
    <>
      <FieldChoice label="Field" {...{ fields, field }} choose={(next) => change(firstCondition(next))} />
      <Choice
        label="Comparison"
        value={operator}
        choices={OPERATORS[field.type].map((one) => [one, operatorWords(field.type, one)])}
        choose={choose}
      />
      {needsValue(operator) && isText && (
        <ValuesChoice
          label="Values"
          {...{ field, values }}
          change={(next) => change({ field, operator, values: next })}
        />
      )}
      {needsValue(operator) && !isText && (
        <TextField
          label={!counts ? 'Value' : field.type === 'list' ? 'Number of items' : 'Number of letters'}
          type={field.type === 'date' ? 'date' : 'text'}
          required
          value={values[0] ?? ''}
          change={(text) => change({ field, operator, values: [text] })}
        />
      )}
    </>
  );
}
