import { useState } from 'preact/hooks';
import { type FileEdit, isJsonMap, type JsonData, type JsonMap, scalarText } from '../../save/data-edit.js';
import { inWords } from '../parts/in-words.js';
import { selectionIn } from '../settings/structure.js';
import { readField } from '../list/fields.js';
import { type FieldFacts, fieldFacts, suggestedTexts } from './field-facts.js';
import { fieldText } from './field-text.js';
import { FieldChoice, NumberField } from './inputs.js';
import { NoFields } from './no-fields.js';
import { RemovePart } from './remove-part.js';
import { type AddProps, fileName, TrialDialog } from './trial-dialog.js';
import { useChanges } from './use-changes.js';
import { useTrial } from './use-trial.js';
import { ValueFields } from './value-fields.js';

/** Names of fields that are usually costs. */
const COST = /token|cost|price|size|length|minute|second|duration|gram|weight|budget/i;
const SHARE = 0.25;

/** The keys of a budget whose numbers are amounts, with their labels. */
const AMOUNTS: readonly (readonly [key: string, label: string])[] = [
  ['max', 'At most'],
  ['target', 'Fill up to'],
  ['output_reserve', 'Of it, keep free'],
];

/** Adds a budget, which the best candidates fill, or edits it. */
export function EditBudget(props: AddProps) {
  const { model } = props;
  const [data] = useState(model.data);
  const fields = fieldFacts(data.candidates).filter(({ type }) => type === 'number');
  const [written] = useState(() => {
    const { pack } = selectionIn(data);
    return isJsonMap(pack) ? pack : undefined;
  });
  const byWritten = fields.find(({ keys }) => fieldText(keys) === written?.['cost']);
  const proposed = fields.find(({ name }) => COST.test(name)) ?? fields.find(({ name }) => !/(?:^|_)id$/i.test(name));
  const [field, setField] = useState(byWritten ?? proposed);
  const [isOther, setOther] = useState(written !== undefined && byWritten === undefined);
  const budget = written?.['budget'];
  const [amounts, setAmounts] = useState((): Readonly<Record<string, number>> => {
    if (written) return amountsOf(budget) ?? {}; // a request may set the budget
    return { '': firstAmount(data.candidates, proposed) };
  });
  const changes = useChanges(data);
  const isComplete = Object.values(amounts).every((amount) => amount >= 0) && (isOther || field !== undefined);
  const trial = useTrial(model, isComplete ? budgetEdits() : undefined);
  if (!field && !isOther) return <NoFields {...props} />;
  const name = isOther ? scalarText(written?.['cost']) : (field?.name ?? '');
  const amountWords = Object.entries(amounts).map(
    ([key, amount]) => `${key === '' ? '' : `${inWords(key).toLowerCase()} `}${amount}`,
  );

  function budgetEdits(): readonly FileEdit[] {
    const cost = isOther || !field ? scalarText(written?.['cost']) : fieldText(field.keys);
    if (!written) return [{ path: ['select', 'pack'], value: { cost, budget: amounts['']! } }];
    const path = ['select', 'pack'];
    const before = amountsOf(budget);
    return [
      ...(cost === written['cost'] ? [] : [{ path: [...path, 'cost'], value: cost }]),
      ...Object.entries(amounts).flatMap(([key, value]) =>
        before?.[key] === value ? [] : [{ path: [...path, 'budget', ...(key === '' ? [] : [key])], value }],
      ),
      ...changes.edits,
    ];
  }

  return (
    <TrialDialog
      {...props}
      title={written ? 'Edit the budget' : 'Add a budget'}
      {...{ trial, isComplete }}
      sentence={`Writes to ${fileName(model)}: selects the best candidates whose ${name} together is at most ${amountWords.join(', ') || 'the budget of the request'}.`}
      action={written ? 'Change' : 'Add budget'}
      more={written && <RemovePart {...props} path={['select', 'pack']} name="The budget" />}
    >
      <p class="note">Candidates without a value of this field are not selected.</p>
      {field && (
        <FieldChoice
          label="Field that says what a candidate costs"
          {...{ fields, field }}
          choose={(next) => {
            setField(next);
            setOther(false);
            if (!written) setAmounts({ '': firstAmount(data.candidates, next) });
          }}
          other={
            written && !byWritten
              ? { words: scalarText(written['cost']), isChosen: isOther, choose: () => setOther(true) }
              : undefined
          }
        />
      )}
      {Object.entries(amounts).map(([key, amount]) => (
        <NumberField
          key={key}
          label={AMOUNTS.find(([one]) => one === key)?.[1] ?? 'Budget'}
          value={amount}
          min={0}
          change={(value) => setAmounts({ ...amounts, [key]: value })}
        />
      ))}
      {written &&
        otherKeys(written).map((key) => (
          <ValueFields
            key={key}
            path={['select', 'pack', key]}
            label={inWords(key)}
            {...{ changes }}
            suggested={suggestedTexts(data.candidates)}
          />
        ))}
    </TrialDialog>
  );
}

const otherKeys = (pack: JsonMap): readonly string[] =>
  Object.keys(pack).filter((key) => key !== 'cost' && key !== 'budget' && key !== 'class');

/** The amounts of a budget by key; that of a single number has the key ``. */
export function amountsOf(budget: JsonData | undefined): Readonly<Record<string, number>> | undefined {
  if (typeof budget === 'number') return { '': budget };
  if (!isJsonMap(budget)) return undefined;
  const numbers = Object.entries(budget).filter((pair): pair is [string, number] => typeof pair[1] === 'number');
  return Object.fromEntries(numbers);
}

/** A quarter of what all candidates cost, in two digits. */
function firstAmount(candidates: readonly object[], field: FieldFacts | undefined): number {
  let sum = 0;
  for (const candidate of candidates) {
    const value = field && readField(candidate, field);
    if (typeof value === 'number' && value > 0) sum += value;
  }
  return Number((sum * SHARE).toPrecision(2)) || 1;
}
