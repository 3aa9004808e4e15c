import type { FunctionComponent } from 'preact';
import type { StudioServer } from '../model/server-api.js';
import type { StudioModel } from '../model/studio-model.js';
import { AddBoost } from './add-boost.js';
import { AddCriterion } from './add-criterion.js';
import { AddEntry } from './add-entry.js';
import { AddDiversity } from './add-diversity.js';
import { AddLimit } from './add-limit.js';
import { AddPart } from './add-part.js';
import { AddRemoval } from './add-removal.js';
import { EditBudget } from './edit-budget.js';
import { EditCases } from './edit-cases.js';
import { EditCombine } from './edit-combine.js';
import { EditPart } from './edit-part.js';
import { EditSelection } from './edit-selection.js';
import { EditValue } from './edit-value.js';
import type { DialogName, Edit, Edited } from './edited.js';
import { ENTRY_KINDS, type EntryKindName } from './entry-kinds.js';
import { ChangeEntry, EntryDialog } from './entry-dialog.js';
import type { AddProps } from './trial-dialog.js';
import { YamlView } from './yaml-view.js';

const DIALOGS = {
  criterion: AddCriterion,
  removal: AddRemoval,
  boost: AddBoost,
  limit: AddLimit,
  variety: AddDiversity,
  selection: EditSelection,
  budget: EditBudget,
  'weights by group': EditCases,
  value: EditValue,
  combination: EditCombine,
  'any entry': ChangeEntry,
  'other part': AddPart,
} satisfies Readonly<Record<DialogName, FunctionComponent<AddProps>>>;

interface EditDialogProps {
  readonly model: StudioModel;
  readonly server: StudioServer;
  readonly report: (error: unknown) => void;
  readonly edited: Edited;
  readonly edit: Edit;
  readonly close: () => void;
}

/** The dialog that edits something of the profile. */
export function EditDialog({ edited, server, ...props }: EditDialogProps) {
  if (typeof edited === 'object' && !('text' in edited)) {
    if ('value' in edited) return <EditValue {...props} id={edited.value} />;
    return 'part' in edited ? <EditPart {...props} path={edited.part} /> : <EntryDialog {...props} {...edited} />;
  }
  if (typeof edited === 'string' && edited !== 'text') {
    if (isEntryKind(edited)) return <AddEntry {...props} {...{ server }} kind={edited} />;
    const Dialog = DIALOGS[edited];
    return <Dialog {...props} />;
  }
  return (
    <dialog open class="beside-page" aria-label="Text of the file">
      <YamlView {...props} {...{ server }} at={edited === 'text' ? undefined : edited.text} />
      <button type="button" onClick={props.close}>
        Close
      </button>
    </dialog>
  );
}

const isEntryKind = (edited: string): edited is EntryKindName => Object.hasOwn(ENTRY_KINDS, edited);
