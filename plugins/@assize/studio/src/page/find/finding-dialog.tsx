import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { FoundWeights } from '../../data/studio-data.js';
import type { StudioModel } from '../model/studio-model.js';
import { withWeights } from '../settings/with-weights.js';
import { FoundWeightsView } from './found-weights-view.js';
import type { Finding } from './use-finding.js';

export interface FindingProps {
  readonly model: StudioModel;
  readonly report: (error: unknown) => void;
  readonly close: () => void;
}

interface DialogProps extends FindingProps {
  readonly title: string;
  readonly finding: Finding<unknown>;
  /** What is shown until weights are found. */
  readonly children: ComponentChildren;
  /** A button beside that which closes. */
  readonly action?: ComponentChildren;
}

/** The frame of what finds weights: its problem, its result, and the button that tries that. */
export function FindingDialog({ model, report, close, title, finding, children, action }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const { found, problem } = finding;
  const use = () => {
    if (found) model.set(withFound(model, found)).catch(report);
    dialog.current?.close();
  };
  return (
    <dialog ref={dialog} onClose={close} aria-label={title} class="finding">
      <h2>{title}</h2>
      {problem !== '' && (
        <pre class="problem" role="alert">
          {problem}
        </pre>
      )}
      {found ? <FoundWeightsView {...{ model, found }} /> : children}
      <div class="row">
        {found && found.scorers.length > 0 && (
          <button type="button" class={found.shown ? 'primary' : ''} onClick={use}>
            Try these weights
          </button>
        )}
        {action}
        <button type="button" onClick={() => dialog.current?.close()}>
          {finding.isRunning ? 'Cancel' : 'Close'}
        </button>
      </div>
    </dialog>
  );
}

/** What is set, with the weights that were found. */
const withFound = ({ data, settings }: StudioModel, { scorers }: FoundWeights) =>
  withWeights(data, settings, Object.fromEntries(scorers.map(({ id, weight }) => [id, weight])));
