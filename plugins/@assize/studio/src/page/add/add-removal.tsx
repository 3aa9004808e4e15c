import { useState } from 'preact/hooks';
import { type JsonMap, scalarText } from '../../save/data-edit.js';
import type { StudioModel } from '../model/studio-model.js';
import { counted, formatCount, inWords } from '../parts/in-words.js';
import { entryEdits, entryIn, freeId, withoutKeys } from '../settings/structure.js';
import { GroupFields } from './condition-fields.js';
import { type ConditionGroup, firstGroup, groupIn, groupText, groupWords } from './condition-groups.js';
import { EditEntry, RemoveEntry } from './edit-entry.js';
import { isSaidBy, labelKeys } from './entry-label.js';
import { fieldFacts } from './field-facts.js';
import { TextField } from './inputs.js';
import { NoFields } from './no-fields.js';
import { type AddProps, fileName, TrialDialog } from './trial-dialog.js';
import { useMatches } from './use-matches.js';
import { useTrial } from './use-trial.js';

/** Adds a veto, which removes the candidates that meet conditions, or edits one. */
export function AddRemoval(props: AddProps) {
  const { model, id } = props;
  const [first] = useState(() => groupOfEntry(model, 'tier1_scorers', id, 'expr'));
  if (first) return <RemovalDialog {...props} first={first} />;
  return id === undefined ? <NoFields {...props} /> : <EditEntry {...props} list="tier1_scorers" id={id} />;
}

/** The conditions of an entry, or those of a new one; undefined if a person wrote an expression of another form. */
export function groupOfEntry(
  { data }: StudioModel,
  list: 'tier1_scorers' | 'adjustments',
  id: string | undefined,
  key: string,
): ConditionGroup | undefined {
  const fields = fieldFacts(data.candidates);
  if (id === undefined) return fields[0] && firstGroup(fields.find(({ name }) => name !== 'id') ?? fields[0]);
  const text = entryIn(data, list, id)?.[key];
  return typeof text === 'string' ? groupIn(text, fields) : undefined;
}

function RemovalDialog({ first, ...props }: AddProps & { readonly first: ConditionGroup }) {
  const { model } = props;
  const fields = fieldFacts(model.data.candidates);
  const [data] = useState(model.data);
  const [before] = useState(() => (props.id === undefined ? undefined : entryIn(data, 'tier1_scorers', props.id)));
  const [group, setGroup] = useState(first);
  const firstWords = groupWords(first);
  const written = scalarText(before?.['label']);
  const [name, setName] = useState(written === firstWords ? '' : written);
  const expr = groupText(group);
  const matches = useMatches(data, expr);
  const words = groupWords(group);
  const id = props.id ?? freeId(data, name === '' ? words : name);
  const isNamedByWords = !before || written === firstWords || (written === '' && isSaidBy(id, firstWords));
  const label = labelKeys(id, name, isNamedByWords ? words : undefined);
  // A reason that a person wrote stays.
  const reason = (!before || before['reason'] === firstWords) && { reason: words };
  const after: JsonMap | undefined =
    expr === undefined ? undefined : { ...withoutKeys(before ?? {}, ['label']), id, ...label, expr, ...reason };
  const edits = after && entryEdits(data, 'tier1_scorers', before, after);
  const trial = useTrial(model, edits);
  // Of a new rule: those that no other rule removes.
  const added =
    before || !trial.effect
      ? ''
      : ` ${counted(Math.max(0, 0 - trial.effect.ranked), 'of them leaves', 'of them leave')} the list.`;
  const count =
    matches === undefined
      ? ''
      : ` It matches ${formatCount(matches)} of ${formatCount(data.candidates.length)} items.${added}`;
  return (
    <TrialDialog
      {...props}
      title={before ? `Edit the removal ${name || inWords(id)}` : 'Add a removal'}
      {...{ trial }}
      isComplete={edits !== undefined}
      sentence={`Will be written to ${fileName(model)} when you save: a rule that removes items if ${words}.${count}`}
      action={before ? 'Change' : 'Add removal'}
      more={before && <RemoveEntry {...props} list="tier1_scorers" id={id} />}
    >
      <p class="note">Items that meet this condition are not in the list, whatever their score.</p>
      <GroupFields {...{ fields, group }} change={setGroup} />
      <TextField label="Name (optional)" value={name} change={setName} />
    </TrialDialog>
  );
}
