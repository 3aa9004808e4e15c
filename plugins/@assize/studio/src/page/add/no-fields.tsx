import { useEffect, useRef } from 'preact/hooks';
import type { AddProps } from './trial-dialog.js';

/** Says that there is nothing to choose from. */
export function NoFields({ close }: AddProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} onClose={close} aria-label="No fields" class="add">
      <p>The candidates have no fields with values.</p>
      <button type="button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
}
