import { useState } from 'preact/hooks';
import type { TuneProgress } from '../../data/studio-data.js';
import type { StudioServer } from '../model/server-api.js';
import { FindingDialog, type FindingProps } from './finding-dialog.js';
import { useFinding } from './use-finding.js';

/** Finds weights by the judgements, as `assize tune` does, and shows the gain on held-out data. */
export function TuneDialog({ server, ...props }: FindingProps & { readonly server: StudioServer }) {
  const finding = useFinding<TuneProgress>((heard, signal) => server.tune(heard, signal));
  const [isEnding, setEnding] = useState(false);
  const { isRunning, step } = finding;
  const start = () => {
    setEnding(false);
    finding.start();
  };
  const end = () => {
    setEnding(true);
    server.endTuning().catch(() => {}); // it was done by then: its result comes anyway
  };
  const action = isRunning ? (
    <button type="button" disabled={isEnding || !step} onClick={end}>
      {isEnding ? 'Ending…' : 'End, and keep the best so far'}
    </button>
  ) : (
    !finding.found && (
      <button type="button" class="primary" onClick={start}>
        Find weights
      </button>
    )
  );
  return (
    <FindingDialog {...props} title="Tune" {...{ finding, action }}>
      <p>
        Finds weights from the judgements, starting with those in the file, and evaluates them on the held-out part of
        the data.
      </p>
      {isRunning && (
        <>
          <label class="row">
            {step?.task ?? 'starting'}{' '}
            <progress max={step?.total ?? 1} value={step?.done ?? 0}>
              {step?.done ?? 0} of {step?.total ?? 1}
            </progress>
          </label>
          <p class="note">
            If you end the search early, it shows the best weights so far. If you cancel it, nothing is kept.
          </p>
        </>
      )}
    </FindingDialog>
  );
}
