import type { StudioServer } from '../model/server-api.js';
import type { StudioModel } from '../model/studio-model.js';
import { AskDialog } from './ask-dialog.js';
import { TuneDialog } from './tune-dialog.js';
import type { Way } from './ways-to-find.js';

interface FindWeightsProps {
  readonly model: StudioModel;
  readonly server: StudioServer;
  /** The query that is shown. */
  readonly query: number;
  readonly report: (error: unknown) => void;
  readonly way: Way;
  readonly close: () => void;
}

/** The dialog that finds weights. */
export function FindWeights({ way, query, ...props }: FindWeightsProps) {
  return way === 'tune' ? <TuneDialog {...props} /> : <AskDialog {...props} query={query} />;
}
