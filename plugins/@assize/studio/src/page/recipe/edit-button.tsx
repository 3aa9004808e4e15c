import type { Edit, Edited } from '../add/edited.js';

interface EditButtonProps {
  /** Undefined in a page that cannot edit the profile. */
  readonly edit: Edit | undefined;
  readonly edited: Edited;
  /** The name of the subject, for people. */
  readonly name: string;
}

/** A pencil that opens the dialog of an entry. */
export function EditButton({ edit, edited, name }: EditButtonProps) {
  if (!edit) return null;
  return (
    <button
      type="button"
      class="quiet icon edit"
      aria-label={`Change ${name}`}
      title={`Change ${name}`}
      onClick={() => edit(edited)}
    >
      <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
        <path
          d="M2 12l.8-3L9.6 2.2a1.1 1.1 0 0 1 1.6 0l.6.6a1.1 1.1 0 0 1 0 1.6L5 11.2z"
          fill="none"
          stroke="currentColor"
          stroke-width="1.3"
          stroke-linejoin="round"
        />
      </svg>
    </button>
  );
}
