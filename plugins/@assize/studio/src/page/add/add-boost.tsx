import { useState } from 'preact/hooks';
import { type JsonMap, scalarText } from '../../save/data-edit.js';
import { entryEdits, entryIn, freeId, withoutKeys } from '../settings/structure.js';
import { groupOfEntry } from './add-removal.js';
import { GroupFields } from './condition-fields.js';
import { type ConditionGroup, groupText, groupWords, isGroup } from './condition-groups.js';
import { EditEntry, RemoveEntry } from './edit-entry.js';
import { fieldFacts } from './field-facts.js';
import { Choice, NumberField, TextField } from './inputs.js';
import { NoFields } from './no-fields.js';
import { type AddProps, fileName, TrialDialog } from './trial-dialog.js';
import { counted, formatCount, inWords } from '../parts/in-words.js';
import { useMatches } from './use-matches.js';
import { useTrial } from './use-trial.js';

const OPERATIONS = ['multiply', 'add'] as const;
type Operation = (typeof OPERATIONS)[number];

/** The amounts that a new rule starts with. */
const AMOUNTS: Readonly<Record<Operation, number>> = { multiply: 1.2, add: 0.1 };
/** The amounts that change nothing. An inherited rule keeps the operation that it has, with this amount. */
const NEUTRAL: Readonly<Record<Operation, number>> = { multiply: 1, add: 0 };

interface Boost {
  readonly group: ConditionGroup;
  readonly operation: Operation;
  readonly amount: number;
}

/** Adds a rule, which raises or lowers the score of the candidates that meet a condition, or edits one. */
export function AddBoost(props: AddProps) {
  const { model, id } = props;
  const [first] = useState((): Boost | undefined => {
    const group = groupOfEntry(model, 'adjustments', id, 'when');
    if (!group || id === undefined) return group && { group, operation: 'multiply', amount: AMOUNTS.multiply };
    const entry = entryIn(model.data, 'adjustments', id) ?? {};
    const operation = OPERATIONS.find((one) => typeof entry[one] === 'number' && entry[one] !== NEUTRAL[one]);
    const isOther = ['set', 'min', 'max', 'refuse', 'group'].some((key) => entry[key] !== undefined);
    return operation && !isOther ? { group, operation, amount: Number(entry[operation]) } : undefined;
  });
  if (first) return <BoostDialog {...props} first={first} />;
  return id === undefined ? <NoFields {...props} /> : <EditEntry {...props} list="adjustments" id={id} />;
}

function BoostDialog({ first, ...props }: AddProps & { readonly first: Boost }) {
  const { model } = props;
  const fields = fieldFacts(model.data.candidates);
  const [data] = useState(model.data);
  const [before] = useState(() => (props.id === undefined ? undefined : entryIn(data, 'adjustments', props.id)));
  const [{ group, operation, amount }, setBoost] = useState(first);
  const [name, setName] = useState(scalarText(before?.['label']));
  const change = (part: Partial<Boost>) => setBoost({ group, operation, amount, ...part });
  const when = groupText(group);
  const matches = useMatches(data, when);
  const words = groupWords(group);
  const isOwn = !before || data.editing?.origins['adjustments']?.[scalarText(before['id'])] === 'own';
  const id = props.id ?? freeId(data, name === '' ? `boost ${fieldNameIn(group)}` : name);
  const label = name !== '' && name !== id && { label: name };
  const inherited = isOwn ? [] : OPERATIONS.filter((one) => before?.[one] !== undefined);
  const neutral = Object.fromEntries(inherited.map((one) => [one, NEUTRAL[one]]));
  const isComplete = when !== undefined && Number.isFinite(amount);
  const after: JsonMap | undefined = isComplete
    ? {
        ...withoutKeys(before ?? {}, ['multiply', 'add', 'label']),
        id,
        ...label,
        when,
        ...neutral,
        [operation]: amount,
      }
    : undefined;
  const edits = after && entryEdits(data, 'adjustments', before, after);
  const trial = useTrial(model, edits);
  const count =
    matches === undefined ? '' : ` ${formatCount(matches)} of ${counted(data.candidates.length, 'item')} match now.`;
  return (
    <TrialDialog
      {...props}
      title={before ? `Edit the boost ${name || inWords(id)}` : 'Add a boost'}
      {...{ trial, isComplete }}
      sentence={`Will be written to ${fileName(model)} when you save: a boost that ${amountWords(operation, amount)} if ${words}.${count}`}
      action={before ? 'Change' : 'Add boost'}
      more={before && <RemoveEntry {...props} list="adjustments" id={id} />}
    >
      <p class="note">The score of items that meet this condition is raised or lowered.</p>
      <GroupFields {...{ fields, group }} change={(next) => change({ group: next })} />
      <Choice
        label="Change of the score"
        value={operation}
        choices={[
          ['multiply', 'multiply by'],
          ['add', 'add'],
        ]}
        choose={(next) => change({ operation: next, amount: AMOUNTS[next] })}
      />
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

/** The name of the first field of a group. */
function fieldNameIn({ parts: [first] }: ConditionGroup): string {
  if (!first) return '';
  return isGroup(first) ? fieldNameIn(first) : first.field.name;
}
