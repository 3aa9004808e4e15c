import type { StudioServer } from '../model/server-api.js';
import type { StudioModel } from '../model/studio-model.js';
import type { Cards } from '../shelf/use-card-fields.js';
import { AskDialog } from './ask-dialog.js';
import { TuneDialog } from './tune-dialog.js';

/** The ways to find weights: by judgements, and by questions. */
export type Way = 'tune' | 'ask';

interface FindWeightsProps {
  readonly model: StudioModel;
  readonly server: StudioServer;
  /** The query that is shown. */
  readonly query: number;
  readonly cards: Cards;
  readonly report: (error: unknown) => void;
  readonly way: Way;
  readonly close: () => void;
}

/** The dialog that finds weights. */
export function FindWeights({ way, query, cards, ...props }: FindWeightsProps) {
  return way === 'tune' ? <TuneDialog {...props} /> : <AskDialog {...props} {...{ query, cards }} />;
}
