import { useState } from 'preact/hooks';
import { type FileEdit, isJsonMap, type JsonData, type JsonMap, scalarText } from '../../save/data-edit.js';
import { listed } from '../parts/in-words.js';
import { selectEdit, selectionIn } from '../settings/structure.js';
import { EditPart } from './edit-part.js';
import { fieldFacts } from './field-facts.js';
import { pathText } from './field-text.js';
import { FieldChoice, NumberField } from './inputs.js';
import { NoFields } from './no-fields.js';
import { RemovePart } from './remove-part.js';
import { type AddProps, fileName, TrialDialog } from './trial-dialog.js';
import { useTrial } from './use-trial.js';

const LAMBDA = 0.7;

/** The params that say what candidates are compared by. */
const COMPARED = ['fields', 'text', 'vector'] as const;

/** Selects candidates that differ in a field, or edits how much they must differ. Other selectors are edited by their params. */
export function AddDiversity(props: AddProps) {
  const [written] = useState(() => {
    const { diversify } = selectionIn(props.model.data);
    return isJsonMap(diversify) ? diversify : undefined;
  });
  const isMmr = /(?:^|\/)MmrSelector$/.test(scalarText(written?.['class'] ?? 'MmrSelector'));
  return isMmr ? <VarietyDialog {...props} {...{ written }} /> : <EditPart {...props} path={['select', 'diversify']} />;
}

function VarietyDialog({ written, ...props }: AddProps & { readonly written: JsonMap | undefined }) {
  const { model } = props;
  const [data] = useState(model.data);
  const fields = fieldFacts(data.candidates);
  const params = isJsonMap(written?.['params']) ? written['params'] : {};
  const compared = COMPARED.flatMap((key) => params[key] ?? []).map(scalarText);
  const byWritten = compared.length === 1 ? fields.find(({ keys }) => pathText(keys) === compared[0]) : undefined;
  const proposed = fields.find(({ frequent }) => (frequent[0]?.count ?? 0) > 1) ?? fields[0];
  const [field, setField] = useState(byWritten ?? proposed);
  const [isOther, setOther] = useState(written !== undefined && byWritten === undefined);
  const before = Number((100 * (1 - Number(params['lambda'] ?? LAMBDA))).toPrecision(6));
  const [variety, setVariety] = useState(before);
  const [top, setTop] = useState(Math.min(10, data.candidates.length));
  const hasTop = selectionIn(data)['top'] !== undefined;
  const isComplete = field !== undefined && variety >= 0 && variety <= 100 && Number.isInteger(top) && top > 0;
  const trial = useTrial(model, isComplete ? edits() : undefined);
  if (!field) return <NoFields {...props} />;

  function edits(): readonly FileEdit[] {
    const isKept = isOther || field === byWritten;
    if (written && isKept && variety === before) return [];
    const lambda = Number((1 - variety / 100).toPrecision(6));
    const others = Object.entries(params).filter(([key]) => isKept || !COMPARED.some((one) => one === key));
    const by = isKept || !field ? {} : { fields: pathText(field.keys) };
    const value: JsonData = { class: 'MmrSelector', params: { ...Object.fromEntries(others), lambda, ...by } };
    return [selectEdit('diversify', value), ...(hasTop ? [] : [selectEdit('top', top)])];
  }

  const name = isOther ? listed(compared) : field.name;
  return (
    <TrialDialog
      {...props}
      title={written ? 'Edit the variety' : 'Add variety'}
      {...{ trial, isComplete }}
      sentence={`Will be written to ${fileName(model)} when you save: the selection prefers candidates that differ in ${name}; variety counts ${variety} %, the score ${100 - variety} %.`}
      action={written ? 'Change' : 'Add variety'}
      more={
        written && (
          <RemovePart
            {...props}
            path={['select', 'diversify']}
            name="The variety"
            neutral={[{ path: ['select', 'diversify', 'params', 'lambda'], value: 1 }]}
          />
        )
      }
    >
      <FieldChoice
        label="Field in which they should differ"
        {...{ fields, field }}
        choose={(next) => {
          setField(next);
          setOther(false);
        }}
        other={
          written && !byWritten
            ? { words: listed(compared), isChosen: isOther, choose: () => setOther(true) }
            : undefined
        }
      />
      <NumberField label="Variety in percent" value={variety} min={0} max={100} step="any" change={setVariety} />
      {!hasTop && <NumberField label="How many are selected" value={top} min={1} step={1} change={setTop} />}
    </TrialDialog>
  );
}
