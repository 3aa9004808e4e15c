import { useState } from 'preact/hooks';
import { JUDGED_BY, type JudgedBy, type TuneProgress } from '../../data/studio-data.js';
import type { StudioServer } from '../model/server-api.js';
import { FindingDialog, type FindingProps } from './finding-dialog.js';
import { useFinding } from './use-finding.js';

const SOURCES: Readonly<Record<JudgedBy, string>> = {
  grades: 'From the grades',
  pairs: 'From the pairs that you chose',
};

/** Finds weights by the judgements, as `assize tune` does, and shows the gain on held-out data. */
export function TuneDialog({ server, ...props }: FindingProps & { readonly server: StudioServer }) {
  const [by, setBy] = useState<JudgedBy>(() =>
    props.model.data.grades?.some((grade) => grade !== null) ? 'grades' : 'pairs',
  );
  const finding = useFinding<TuneProgress>((heard, signal) => server.tune(by, heard, signal));
  const [isEnding, setEnding] = useState(false);
  const { isRunning, step, found } = finding;
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
    (!found || found.scorers.length === 0) && (
      <button type="button" class="primary" onClick={start}>
        Find weights
      </button>
    )
  );
  return (
    <FindingDialog {...props} title="Find best weights" {...{ finding, action }}>
      <p>
        Finds weights that agree better with the judgements, starting with those in the file, and evaluates them on
        judgements that the search did not use.
      </p>
      {!isRunning && (
        <fieldset class="row">
          <legend class="visually-hidden">Judgements</legend>
          {JUDGED_BY.map((one) => (
            <label key={one}>
              <input type="radio" name="judged-by" checked={by === one} onChange={() => setBy(one)} /> {SOURCES[one]}
            </label>
          ))}
        </fieldset>
      )}
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
