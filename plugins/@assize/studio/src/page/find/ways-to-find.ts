import type { StudioModel } from '../model/studio-model.js';

/** The ways to find weights: by judgements, and by questions. */
export type Way = 'tune' | 'ask';

/** The ways to find weights of a page. Without judgements, only questions. */
export const waysToFind = ({ data, ranker }: StudioModel): readonly Way[] =>
  !ranker.readsWeights ? [] : data.grades ? ['tune', 'ask'] : ['ask'];
