import { useState } from 'preact/hooks';
import { type FileEdit, type JsonMap, scalarText } from '../../save/data-edit.js';
import { CurveEditor } from '../curves/curve-editor.js';
import type { StudioModel } from '../model/studio-model.js';
import { entryEdits, entryIn, freeId, withFileEdits, withoutKeys } from '../settings/structure.js';
import {
  type Criterion,
  criterionIn,
  criterionKeys,
  criterionWords,
  proposedCriterion,
  SHAPE_WORDS,
  SHAPES,
} from './criterion-shapes.js';
import { inWords } from '../parts/in-words.js';
import { SIGN_WORDS, SIGNS } from './arithmetic.js';
import { DecayFields } from './decay-fields.js';
import { EditEntry, RemoveEntry } from './edit-entry.js';
import { type FieldFacts, fieldFacts } from './field-facts.js';
import { Choice, FieldChoice, NumberField, TextField, ValuesChoice } from './inputs.js';
import { NoFields } from './no-fields.js';
import { type AddProps, fileName, TrialDialog } from './trial-dialog.js';
import { useTrial } from './use-trial.js';

/** Adds a criterion, which is a scorer on a field, or edits one. A scorer of another form is edited by its params. */
export function AddCriterion(props: AddProps) {
  const { model, id } = props;
  const [first] = useState(() => firstCriterion(model, id));
  if (first) return <CriterionDialog {...props} first={first} />;
  return id === undefined ? <NoFields {...props} /> : <EditEntry {...props} list="tier2_scorers" id={id} />;
}

function firstCriterion(model: StudioModel, id: string | undefined): Criterion | undefined {
  const fields = fieldFacts(model.data.candidates);
  const entry = id === undefined ? undefined : entryIn(model.data, 'tier2_scorers', id);
  if (entry) return criterionIn(entry, fields, nowOf(model));
  const field = firstField(fields);
  return id === undefined && field ? proposedCriterion(field, nowOf(model)) : undefined;
}

/** A number that is not an id, or the first field. */
const firstField = (fields: readonly FieldFacts[]): FieldFacts | undefined =>
  fields.find(({ type, name }) => type === 'number' && !/(?:^|_)id$/i.test(name)) ?? fields[0];

function nowOf({ data: { context } }: StudioModel): number {
  const { now } = context;
  const time =
    typeof now === 'number' || typeof now === 'string' || now instanceof Date ? new Date(now).getTime() : NaN;
  return Number.isNaN(time) ? Date.now() : time;
}

function CriterionDialog({ first, ...props }: AddProps & { readonly first: Criterion }) {
  const { model } = props;
  const fields = fieldFacts(model.data.candidates);
  const [criterion, setCriterion] = useState(first);
  const [before] = useState(() =>
    props.id === undefined ? undefined : entryIn(model.data, 'tier2_scorers', props.id),
  );
  const [name, setName] = useState(scalarText(before?.['label']));
  const [weight, setWeight] = useState(1);
  const [data] = useState(model.data);
  const { field, shape } = criterion;
  const id = props.id ?? freeId(data, name === '' ? field.name : name);
  const edits = criterionEdits();
  const trial = useTrial(model, edits);
  const change = (part: Partial<Criterion>) => {
    const { written: _, ...chosen } = criterion;
    setCriterion({ ...chosen, ...part });
  };

  function criterionEdits(of = criterion): readonly FileEdit[] | undefined {
    const keys = criterionKeys(of);
    if (!keys || !(weight >= 0)) return undefined;
    const label = name !== '' && name !== id && { label: name };
    const after: JsonMap = before
      ? { ...withoutKeys(before, ['class', 'expr', 'params', 'label']), ...label, ...keys }
      : { id, ...label, ...keys, weight };
    return entryEdits(data, 'tier2_scorers', before, after);
  }

  return (
    <TrialDialog
      {...props}
      title={before ? `Edit the criterion ${name || inWords(id)}` : 'Add a criterion'}
      {...{ trial }}
      isComplete={edits !== undefined}
      sentence={`Will be written to ${fileName(model)} when you save: a criterion by which ${criterionWords(criterion)}.`}
      action={before ? 'Change' : 'Add criterion'}
      more={before && <RemoveEntry {...props} list="tier2_scorers" id={id} />}
    >
      <FieldChoice
        label="Field"
        {...{ fields, field }}
        choose={(next) => setCriterion(proposedCriterion(next, nowOf(model)))}
      />
      <Choice
        label="What is good"
        value={shape}
        choices={SHAPES[field.type].map((one) => [one, SHAPE_WORDS[one]])}
        choose={(next) => change({ shape: next })}
      />
      {shape === 'newer' && <DecayFields decay={criterion.decay} change={(decay) => change({ decay })} />}
      {shape === 'value' && (
        <>
          <Choice
            label="Calculation"
            value={criterion.sign}
            choices={SIGNS.map((one) => [one, SIGN_WORDS[one]])}
            choose={(sign) => change({ sign })}
          />
          <NumberField label="Number" value={criterion.number} change={(number) => change({ number })} />
        </>
      )}
      {shape === 'near' && (
        <>
          <NumberField label="Best value" value={criterion.target} change={(target) => change({ target })} />
          <NumberField
            label="Distance at which the score is 0"
            value={criterion.width}
            min={0}
            change={(width) => change({ width })}
          />
        </>
      )}
      {shape === 'one of' && (
        <ValuesChoice
          label="Good values"
          {...{ field }}
          values={criterion.values}
          change={(values) => change({ values })}
        />
      )}
      {shape === 'curve' && model.data.curves[id] && (
        <CurveEditor
          {...{ model, id }}
          name={name || id}
          colour="var(--accent)"
          set={async (settings) => {
            const points = settings.params[id]?.['points'];
            if (typeof points !== 'object') return;
            change({ points });
            const next = criterionEdits({ ...criterion, points });
            if (next) await model.preview(withFileEdits(model.settled, next)).catch(props.report);
          }}
        />
      )}
      <TextField label="Name (optional)" value={name} change={setName} />
      {!before && <NumberField label="Weight" value={weight} min={0} change={setWeight} />}
    </TrialDialog>
  );
}
