import { useState } from 'preact/hooks';
import { isJsonMap, type JsonData, scalarText } from '../../save/data-edit.js';
import { selectEdit, selectionIn } from '../settings/structure.js';
import { fieldFacts } from './field-facts.js';
import { pathText } from './field-text.js';
import { FieldChoice, NumberField } from './inputs.js';
import { NoFields } from './no-fields.js';
import { RemovePart } from './remove-part.js';
import { type AddProps, fileName, TrialDialog } from './trial-dialog.js';
import { useTrial } from './use-trial.js';

const LAMBDA = 0.7;

/** Selects candidates that differ in a field, or edits how much they must differ. */
export function AddDiversity(props: AddProps) {
  const { model } = props;
  const [data] = useState(model.data);
  const [select] = useState(() => selectionIn(data));
  const fields = fieldFacts(data.candidates);
  const written = isJsonMap(select['diversify']) ? select['diversify'] : undefined;
  const params = isJsonMap(written?.['params']) ? written['params'] : {};
  const proposed = fields.find(({ frequent }) => (frequent[0]?.count ?? 0) > 1) ?? fields[0];
  const isMmr = /(?:^|\/)MmrSelector$/.test(scalarText(written?.['class'] ?? 'MmrSelector'));
  const [field, setField] = useState(
    fields.find(({ keys }) => [params['fields']].flat().includes(pathText(keys))) ?? proposed,
  );
  const [variety, setVariety] = useState(Math.round(100 * (1 - Number(params['lambda'] ?? LAMBDA))));
  const [top, setTop] = useState(Math.min(10, data.candidates.length));
  const hasTop = select['top'] !== undefined;
  const isComplete = field !== undefined && variety >= 0 && variety <= 100 && Number.isInteger(top) && top > 0;
  const trial = useTrial(model, isComplete ? edits() : undefined);
  if (!field) return <NoFields {...props} />;

  function edits() {
    const lambda = Number((1 - variety / 100).toFixed(2));
    const value: JsonData = {
      class: 'MmrSelector',
      params: { ...(isMmr && params), lambda, fields: field ? pathText(field.keys) : '' },
    };
    return [selectEdit('diversify', value), ...(hasTop ? [] : [selectEdit('top', top)])];
  }

  return (
    <TrialDialog
      {...props}
      title={written ? 'Edit the variety' : 'Add variety'}
      {...{ trial, isComplete }}
      sentence={`Will be written to ${fileName(model)} when you save: the selection prefers candidates that differ in ${field.name}; variety counts ${variety} %, the score ${100 - variety} %.`}
      action={written ? 'Change' : 'Add variety'}
      more={
        written && (
          <RemovePart
            {...props}
            path={['select', 'diversify']}
            name="The variety"
            neutral={isMmr ? [{ path: ['select', 'diversify', 'params', 'lambda'], value: 1 }] : undefined}
          />
        )
      }
    >
      <FieldChoice label="Field in which they should differ" {...{ fields, field }} choose={setField} />
      <NumberField label="Variety in percent" value={variety} min={0} max={100} step={1} change={setVariety} />
      {!hasTop && <NumberField label="How many are selected" value={top} min={1} step={1} change={setTop} />}
    </TrialDialog>
  );
}
