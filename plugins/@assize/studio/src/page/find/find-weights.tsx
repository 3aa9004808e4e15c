import { useState } from 'preact/hooks';
import type { StudioServer } from '../model/server-api.js';
import type { StudioModel } from '../model/studio-model.js';
import { AskDialog } from './ask-dialog.js';
import { TuneDialog } from './tune-dialog.js';

interface FindWeightsProps {
  readonly model: StudioModel;
  readonly server: StudioServer;
  /** The query that is shown. */
  readonly query: number;
  readonly report: (error: unknown) => void;
}

/** The buttons that find weights: by judgements, where there are any, and by asking. */
export function FindWeights({ model, server, query, report }: FindWeightsProps) {
  const [open, setOpen] = useState<'tune' | 'ask' | undefined>(undefined);
  if (!model.ranker.readsWeights) return null;
  const props = { model, server, report, close: () => setOpen(undefined) };
  return (
    <>
      {model.data.grades && (
        <button type="button" onClick={() => setOpen('tune')}>
          Tune…
        </button>
      )}
      <button type="button" onClick={() => setOpen('ask')}>
        Ask me…
      </button>
      {open === 'tune' && <TuneDialog {...props} />}
      {open === 'ask' && <AskDialog {...props} query={query} />}
    </>
  );
}
