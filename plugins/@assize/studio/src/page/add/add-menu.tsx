import type { FunctionComponent } from 'preact';
import { useState } from 'preact/hooks';
import type { StudioServer } from '../model/server-api.js';
import type { StudioModel } from '../model/studio-model.js';
import { Menu } from '../parts/menu.js';
import { AddBoost } from './add-boost.js';
import { AddCriterion } from './add-criterion.js';
import { AddDiversity } from './add-diversity.js';
import { AddLimit } from './add-limit.js';
import { AddRemoval } from './add-removal.js';
import { EditSelection } from './edit-selection.js';
import { ChangeEntry } from './entry-dialog.js';
import type { AddProps } from './trial-dialog.js';
import { YamlView } from './yaml-view.js';

/** The dialogs of the menu, by their titles. */
const DIALOGS: Readonly<Record<string, FunctionComponent<AddProps>>> = {
  'Criterion…': AddCriterion,
  'Removal…': AddRemoval,
  'Boost…': AddBoost,
  'Limit per group…': AddLimit,
  'Variety…': AddDiversity,
  'How many…': EditSelection,
  'Change an entry…': ChangeEntry,
};

const TEXT = 'Text of the file…';

interface AddMenuProps {
  readonly model: StudioModel;
  readonly server: StudioServer | undefined;
  readonly report: (error: unknown) => void;
}

/** A menu of what can be added to the profile. Missing in a page without a server. */
export function AddMenu({ model, server, report }: AddMenuProps) {
  const [open, setOpen] = useState<string>();
  const choose = (title: string, { currentTarget }: { readonly currentTarget: Element }) => {
    // The dialog gives the focus back to what has it now.
    const menu = currentTarget.closest('details');
    menu?.querySelector('summary')?.focus();
    if (menu) menu.open = false;
    setOpen(title);
  };
  const Dialog = open === undefined ? undefined : DIALOGS[open];
  if (!server) return null;
  return (
    <>
      <Menu title="+ Add">
        {Object.keys(DIALOGS).map((title) => (
          <button key={title} type="button" class="quiet" onClick={(event) => choose(title, event)}>
            {title}
          </button>
        ))}
        <button type="button" class="quiet" onClick={(event) => choose(TEXT, event)}>
          {TEXT}
        </button>
      </Menu>
      {open === TEXT && (
        <dialog open class="beside-page" aria-label="Text of the file">
          <YamlView {...{ model, server, report }} />
          <button type="button" onClick={() => setOpen(undefined)}>
            Close
          </button>
        </dialog>
      )}
      {Dialog && <Dialog {...{ model, report }} close={() => setOpen(undefined)} />}
    </>
  );
}
