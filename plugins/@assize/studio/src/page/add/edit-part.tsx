import { useState } from 'preact/hooks';
import { type Step, valueAt } from '../../save/data-edit.js';
import { counted, inWords } from '../parts/in-words.js';
import { suggestedTexts } from './field-facts.js';
import { RemovePart } from './remove-part.js';
import { ToText } from './to-text.js';
import { type AddProps, fileName, TrialDialog } from './trial-dialog.js';
import { useChanges } from './use-changes.js';
import { useTrial } from './use-trial.js';
import { ValueFields } from './value-fields.js';

interface PartProps extends AddProps {
  /** The key of the part in the profile, or the keys that lead to it. */
  readonly path: readonly string[];
}

/** Edits every value of a part of the profile that has no form of its own, such as `stats`. */
export function EditPart({ path, ...props }: PartProps) {
  const { model } = props;
  const [data] = useState(model.data);
  const changes = useChanges(data);
  const trial = useTrial(model, changes.edits);
  const name = inWords(path.at(-1) ?? '');
  const isThere = valueAt(data.editing?.document, path satisfies readonly Step[]) !== undefined;
  return (
    <TrialDialog
      {...props}
      title={`Change ${name.toLowerCase()}`}
      {...{ trial }}
      isComplete
      sentence={`Writes to ${fileName(model)}: ${changes.edits.length === 0 ? 'nothing yet' : `${counted(changes.edits.length, 'changed value')} of ${path.join('.')}`}.`}
      action="Change"
      more={
        <>
          {isThere && <RemovePart {...props} {...{ path, name }} />}
          <ToText edit={props.edit} {...{ path }} />
        </>
      }
    >
      <ValueFields {...{ path, changes }} label={name} suggested={suggestedTexts(data.candidates)} />
    </TrialDialog>
  );
}
