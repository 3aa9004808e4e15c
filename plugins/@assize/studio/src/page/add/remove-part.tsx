import type { EntryOrigin, StudioData } from '../../data/studio-data.js';
import { PROFILE_KEYS } from '../../data/studio-data.js';
import type { FileEdit } from '../../save/data-edit.js';
import type { Settings } from '../settings/settings.js';
import { withFileEdits, withoutPathEdits } from '../settings/structure.js';
import type { AddProps } from './trial-dialog.js';
import { useUniqueId } from '../parts/unique-id.js';

interface RemovePartProps extends AddProps {
  /** The keys of the part, such as `select`, `per`. */
  readonly path: readonly string[];
  /** The name of the part, for people. */
  readonly name: string;
  /** Edits without any effect of the part, if it is inherited. Undefined if a profile cannot say that. */
  readonly neutral?: readonly FileEdit[] | undefined;
}

/**
 * A button that removes a part of the profile. A profile cannot remove what it inherits: then the button sets values that
 * have no effect, or the dialog says why it cannot be removed.
 */
export function RemovePart({ model, report, close, path, name, neutral }: RemovePartProps) {
  const note = useUniqueId();
  const origin = originOf(model.data, path);
  const apply = (settings: Settings) => void model.set(settings).then(close, report);
  const remove = () => apply(withoutPathEdits(model, path));
  if (origin === 'own') {
    return (
      <button type="button" onClick={remove}>
        Remove
      </button>
    );
  }
  if (neutral) {
    return (
      <button
        type="button"
        title="It is inherited: this file switches it off"
        onClick={() => apply(withFileEdits(model.settled, neutral))}
      >
        Switch off
      </button>
    );
  }
  return (
    <>
      <button type="button" disabled aria-describedby={note}>
        Remove
      </button>
      <p id={note} class="note">
        {name} is inherited from a profile that this one extends. This file can change its values, but a profile cannot
        remove what it inherits. To remove it, change the other profile, or copy it.
      </p>
      {origin === 'amended' && (
        <button type="button" onClick={remove}>
          Back to the inherited values
        </button>
      )}
    </>
  );
}

function originOf({ editing }: StudioData, [key = '', inner]: readonly string[]): EntryOrigin {
  const origins = inner === undefined ? editing?.origins[PROFILE_KEYS]?.[key] : editing?.origins[key]?.[inner];
  return origins ?? 'own';
}
