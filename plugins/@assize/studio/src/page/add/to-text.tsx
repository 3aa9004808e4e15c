import type { Step } from '../../save/data-edit.js';
import type { AddProps } from './trial-dialog.js';

interface ToTextProps extends Pick<AddProps, 'edit'> {
  readonly path: readonly Step[];
  /** Why the part has no form; undefined if it has one. */
  readonly reason?: string;
}

/** Opens the text of the file at a part, and says why if the part has no form. */
export function ToText({ edit, path, reason }: ToTextProps) {
  const button = (
    <button type="button" onClick={() => edit({ text: path })}>
      {reason === undefined ? 'Show in the text of the file' : 'Open the text of the file there'}
    </button>
  );
  return reason === undefined ? (
    button
  ) : (
    <>
      <p class="note">{reason}</p>
      <div class="row">{button}</div>
    </>
  );
}
