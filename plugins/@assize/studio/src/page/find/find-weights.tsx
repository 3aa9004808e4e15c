import type { StudioServer } from '../model/server-api.js';
import type { StudioModel } from '../model/studio-model.js';
import { AskDialog } from './ask-dialog.js';
import { TuneDialog } from './tune-dialog.js';

/** The ways to find weights: by judgements, and by questions. */
export type Way = 'tune' | 'ask';

interface FindWeightsProps {
  readonly model: StudioModel;
  readonly server: StudioServer;
  /** The query that is shown. */
  readonly query: number;
  readonly report: (error: unknown) => void;
  readonly way: Way;
  readonly close: () => void;
}

/** The ways to find weights of a page. Without judgements, only questions. */
export const waysToFind = ({ data, ranker }: StudioModel): readonly Way[] =>
  !ranker.readsWeights ? [] : data.grades ? ['tune', 'ask'] : ['ask'];

/** The dialog that finds weights. */
export function FindWeights({ way, query, ...props }: FindWeightsProps) {
  return way === 'tune' ? <TuneDialog {...props} /> : <AskDialog {...props} query={query} />;
}
