import type { StudioModel } from '../model/studio-model.js';

/** The ways to find weights: by judgements, and by questions. */
export type Way = 'tune' | 'ask';

/** The ways to find weights of a page. */
export const waysToFind = ({ ranker }: StudioModel): readonly Way[] => (ranker.readsWeights ? ['tune', 'ask'] : []);
