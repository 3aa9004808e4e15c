import type { TuneProgress } from '../data/found-weights.js';
import { FindingDialog, type FindingProps } from './finding-dialog.js';
import type { StudioServer } from './server-api.js';
import { useFinding } from './use-finding.js';

/** Finds weights by the judgements, as `assize tune` does, and shows what they gain on what was kept back. */
export function TuneDialog({ server, ...props }: FindingProps & { readonly server: StudioServer }) {
  const finding = useFinding<TuneProgress>((heard, signal) => server.tune(heard, signal));
  const { isRunning, step, start } = finding;
  return (
    <FindingDialog {...props} title="Tune" finding={finding}>
      <p>
        Finds weights by the judgements, beginning with those in the file, and measures them on the part of the data
        that was kept back.
      </p>
      {isRunning ? (
        <label class="row">
          {step?.task ?? 'starting'}{' '}
          <progress max={step?.of ?? 1} value={step?.done ?? 0}>
            {step?.done ?? 0} of {step?.of ?? 1}
          </progress>
        </label>
      ) : (
        <button type="button" class="primary" onClick={start}>
          Find weights
        </button>
      )}
    </FindingDialog>
  );
}
