import { useState } from 'preact/hooks';
import { type JsonMap, scalarText } from '../../save/data-edit.js';
import { entryEdits, entryIn, freeId, withoutKeys } from '../settings/structure.js';
import { conditionOf } from './add-removal.js';
import { ConditionFields } from './condition-fields.js';
import { type Condition, conditionText, conditionWords } from './conditions.js';
import { EditEntry, RemoveEntry } from './edit-entry.js';
import { fieldFacts } from './field-facts.js';
import { Choice, NumberField, TextField } from './inputs.js';
import { NoFields } from './no-fields.js';
import { type AddProps, fileName, TrialDialog } from './trial-dialog.js';
import { useMatches } from './use-matches.js';
import { useTrial } from './use-trial.js';

const OPERATIONS = ['multiply', 'add'] as const;
type Operation = (typeof OPERATIONS)[number];

/** The amounts that a new rule starts with. */
const AMOUNTS: Readonly<Record<Operation, number>> = { multiply: 1.2, add: 0.1 };

interface Boost {
  readonly condition: Condition;
  readonly operation: Operation;
  readonly amount: number;
}

/** Adds a rule, which raises or lowers the score of the candidates that meet a condition, or edits one. */
export function AddBoost(props: AddProps) {
  const { model, id } = props;
  const [first] = useState((): Boost | undefined => {
    const condition = conditionOf(model, 'adjustments', id, 'when');
    if (!condition || id === undefined) return condition && { condition, operation: 'multiply', amount: 1.2 };
    const entry = entryIn(model.data, 'adjustments', id);
    const operation = OPERATIONS.find((one) => typeof entry?.[one] === 'number');
    return operation && { condition, operation, amount: Number(entry?.[operation]) };
  });
  if (first) return <BoostDialog {...props} first={first} />;
  return id === undefined ? <NoFields {...props} /> : <EditEntry {...props} list="adjustments" id={id} />;
}

function BoostDialog({ first, ...props }: AddProps & { readonly first: Boost }) {
  const { model } = props;
  const fields = fieldFacts(model.data.candidates);
  const [data] = useState(model.data);
  const [before] = useState(() => (props.id === undefined ? undefined : entryIn(data, 'adjustments', props.id)));
  const [{ condition, operation, amount }, setBoost] = useState(first);
  const [name, setName] = useState(scalarText(before?.['label']));
  const change = (part: Partial<Boost>) => setBoost({ condition, operation, amount, ...part });
  const when = conditionText(condition);
  const matches = useMatches(data, when);
  const words = conditionWords(condition);
  const isOwn = !before || data.editing?.origins['adjustments']?.[scalarText(before['id'])] === 'own';
  const id = props.id ?? freeId(data, name === '' ? `boost ${condition.field.name}` : name);
  const label = name !== '' && name !== id && { label: name };
  const isComplete = when !== undefined && Number.isFinite(amount);
  const after: JsonMap | undefined = isComplete
    ? { ...withoutKeys(before ?? {}, ['multiply', 'add', 'label']), id, ...label, when, [operation]: amount }
    : undefined;
  const edits = after && entryEdits(data, 'adjustments', before, after);
  const trial = useTrial(model, edits);
  const count = matches === undefined ? '' : ` ${matches} of ${data.candidates.length} candidates match now.`;
  return (
    <TrialDialog
      {...props}
      title={before ? `Edit the boost ${name || id}` : 'Add a boost'}
      {...{ trial, isComplete }}
      sentence={`Will be written to ${fileName(model)} when you save: a boost that ${amountWords(operation, amount)} if ${words}.${count}`}
      action={before ? 'Change' : 'Add boost'}
      more={before && <RemoveEntry {...props} list="adjustments" id={id} />}
    >
      <p class="note">The score of candidates that meet this condition is raised or lowered.</p>
      <ConditionFields {...{ fields, condition }} change={(next) => change({ condition: next })} />
      {isOwn && (
        <Choice
          label="Change of the score"
          value={operation}
          choices={[
            ['multiply', 'multiply by'],
            ['add', 'add'],
          ]}
          choose={(next) => change({ operation: next, amount: AMOUNTS[next] })}
        />
      )}
      <NumberField label="Amount" value={amount} change={(next) => change({ amount: next })} />
      <TextField label="Name (optional)" value={name} change={setName} />
    </TrialDialog>
  );
}

function amountWords(operation: Operation, amount: number): string {
  if (operation === 'add') return amount < 0 ? `subtracts ${-amount} from the score` : `adds ${amount} to the score`;
  const percent = Number((100 * Math.abs(amount - 1)).toPrecision(3));
  return `${amount < 1 ? 'lowers' : 'raises'} the score by ${percent} %`;
}
