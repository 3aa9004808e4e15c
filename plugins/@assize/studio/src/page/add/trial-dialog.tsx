import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Edit } from './edited.js';
import type { StudioModel } from '../model/studio-model.js';
import { effectWords } from './effect.js';
import type { Trial } from './use-trial.js';

/** What every dialog of this folder takes. */
export interface AddProps {
  readonly model: StudioModel;
  readonly report: (error: unknown) => void;
  readonly close: () => void;
  /** Opens another dialog instead. */
  readonly edit: Edit;
  /** The entry to edit; missing for a new one. */
  readonly id?: string | undefined;
}

interface TrialDialogProps extends AddProps {
  readonly title: string;
  readonly trial: Trial;
  /** Whether the choices are complete. */
  readonly isComplete: boolean;
  /** What would be written, in words. */
  readonly sentence: string;
  readonly action: string;
  /** More buttons, such as one that removes the entry. */
  readonly more?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The frame of a dialog that tries edits: their effect on the ranking, and the buttons that confirm or cancel them. */
export function TrialDialog(props: TrialDialogProps) {
  const { model, report, close, title, trial, isComplete, sentence, action, more, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const { effect, problem, hasEdits } = trial;
  const canConfirm = isComplete && hasEdits && problem === '';
  const note = !isComplete
    ? 'Fill in the fields above.'
    : hasEdits
      ? 'The ranking is computed…'
      : 'Nothing is changed yet.';
  const submit = (event: Event) => {
    event.preventDefault();
    if (!canConfirm) return;
    trial.confirm().then(() => dialog.current?.close(), report);
  };
  return (
    <dialog ref={dialog} onClose={close} aria-label={title} class="add">
      <form onSubmit={submit}>
        <h2>{title}</h2>
        <div class="fields">{children}</div>
        {sentence !== '' && <p class="sentence">{sentence}</p>}
        {problem === '' ? (
          <p class="effect" role="status">
            {effect ? effectWords(effect) : note}
          </p>
        ) : (
          <pre class="problem" role="alert">
            {problem}
          </pre>
        )}
        <div class="row">
          <button type="submit" class="primary" disabled={!canConfirm}>
            {action}
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          {more}
          {model.isBusy && <progress aria-label="Ranking" />}
        </div>
      </form>
    </dialog>
  );
}

/** The file that a sentence names. */
export const fileName = ({ data }: StudioModel): string => data.file?.name ?? `a profile that extends ${data.title}`;
