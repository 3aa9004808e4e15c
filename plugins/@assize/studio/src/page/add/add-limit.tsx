import { useState } from 'preact/hooks';
import { isJsonMap, scalarText } from '../../save/data-edit.js';
import { NO_LIMIT, selectEdit, selectionIn } from '../settings/structure.js';
import { type FieldFacts, fieldFacts } from './field-facts.js';
import { fieldText } from './field-text.js';
import { FieldChoice, NumberField } from './inputs.js';
import { NoFields } from './no-fields.js';
import { RemovePart } from './remove-part.js';
import { type AddProps, fileName, TrialDialog } from './trial-dialog.js';
import { useTrial } from './use-trial.js';

/** The least share of candidates with the most frequent value of a field that is proposed. */
const GROUPS = 0.05;

/** Limits how many candidates with the same value of a field are selected, or edits the limit. */
export function AddLimit(props: AddProps) {
  const { model } = props;
  const [data] = useState(model.data);
  const fields = fieldFacts(data.candidates).filter(({ type }) => type !== 'list' && type !== 'date');
  const [per] = useState(() => selectionIn(data)['per']);
  const written = isJsonMap(per) ? per : undefined;
  const byWritten = fields.find(({ keys }) => fieldText(keys) === written?.['by']);
  // A title that two candidates share does not group them.
  const isGrouping = ({ frequent }: FieldFacts): boolean => (frequent[0]?.count ?? 0) > GROUPS * data.candidates.length;
  const proposed = fields.find(isGrouping) ?? fields.find(({ frequent }) => (frequent[0]?.count ?? 0) > 1) ?? fields[0];
  const [field, setField] = useState(byWritten ?? proposed);
  const [isOther, setOther] = useState(written !== undefined && byWritten === undefined);
  const [top, setTop] = useState(Number(written?.['top'] ?? 3));
  const by = isOther ? scalarText(written?.['by']) : field && fieldText(field.keys);
  const isComplete = by !== undefined && Number.isInteger(top) && top > 0;
  const isSame = by === written?.['by'] && top === written?.['top'];
  const edits = isSame ? [] : [selectEdit('per', { by: by ?? '', top })];
  const trial = useTrial(model, isComplete ? edits : undefined);
  if (!field) return <NoFields {...props} />;
  const name = isOther ? by : field.name;
  return (
    <TrialDialog
      {...props}
      title={written ? 'Edit the limit per group' : 'Limit per group'}
      {...{ trial, isComplete }}
      sentence={`Will be written to ${fileName(model)} when you save: at most ${top} items with the same ${name} are shown, the best ones.`}
      action={written ? 'Change' : 'Add limit'}
      more={
        written && (
          <RemovePart
            {...props}
            path={['select', 'per']}
            name="The limit"
            neutral={[{ path: ['select', 'per', 'top'], value: NO_LIMIT }]}
          />
        )
      }
    >
      <FieldChoice
        label="Field"
        {...{ fields, field }}
        choose={(next) => {
          setField(next);
          setOther(false);
        }}
        other={
          written && !byWritten
            ? { words: scalarText(written['by']), isChosen: isOther, choose: () => setOther(true) }
            : undefined
        }
      />
      <NumberField label="At most this many per value" value={top} min={1} step={1} change={setTop} />
    </TrialDialog>
  );
}
