import { useEffect, useRef, useState } from 'preact/hooks';
import { entriesOf, LISTS } from '../settings/settings.js';
import type { EntryList, NamedList } from '../settings/structure.js';
import { AddBoost } from './add-boost.js';
import { AddCriterion } from './add-criterion.js';
import { AddRemoval } from './add-removal.js';
import { EditEntry } from './edit-entry.js';
import type { AddProps } from './trial-dialog.js';

interface EntryDialogProps extends AddProps {
  readonly list: NamedList;
  readonly id: string;
}

/** The dialog that edits an entry: that which adds such an entry, or one with its keys and params. */
export function EntryDialog({ list, ...props }: EntryDialogProps) {
  if (list === 'tier2_scorers') return <AddCriterion {...props} />;
  if (list === 'tier1_scorers') return <AddRemoval {...props} />;
  return list === 'adjustments' ? <AddBoost {...props} /> : <EditEntry {...props} {...{ list }} />;
}

const LIST_WORDS: Readonly<Record<EntryList, string>> = {
  tier1_scorers: 'Removals',
  measures: 'Measures',
  tier2_scorers: 'Criteria',
  adjustments: 'Boosts',
};

/** Chooses an entry of the profile and edits it. */
export function ChangeEntry(props: AddProps) {
  const { model, close } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const [chosen, setChosen] = useState<{ readonly list: EntryList; readonly id: string }>();
  const isChosen = useRef(false);
  useEffect(() => dialog.current?.showModal(), []);
  if (chosen) return <EntryDialog {...props} {...chosen} />;
  const choose = (list: EntryList, id: string) => {
    isChosen.current = true;
    setChosen({ list, id });
  };
  return (
    <dialog ref={dialog} onClose={() => !isChosen.current && close()} aria-label="Change an entry" class="add">
      <h2>Change an entry</h2>
      {LISTS.map((list) => {
        const entries = entriesOf(model.data.profile, list);
        return (
          entries.length > 0 && (
            <fieldset key={list}>
              <legend>{LIST_WORDS[list]}</legend>
              {entries.map(({ id }) => (
                <button key={String(id)} type="button" class="quiet" onClick={() => choose(list, String(id))}>
                  {model.nameOf(String(id))}
                </button>
              ))}
            </fieldset>
          )
        );
      })}
      <button type="button" onClick={() => dialog.current?.close()}>
        Cancel
      </button>
    </dialog>
  );
}
