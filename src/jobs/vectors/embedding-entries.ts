import type { Profile, Use } from '../../profile/index.js';
import { EMBEDDERS } from '../../services/index.js';

/** The ids of the entries that may embed texts, by themselves or by an entry inside them. */
export const embeddingEntries = ({ vetoes, measures, scorers }: Profile): ReadonlySet<string> =>
  new Set([...vetoes, ...measures, ...scorers].filter(({ use }) => embeds(use)).map(({ id }) => id));

const embeds = (use: Use): boolean =>
  use.kind === 'class' &&
  (use.unit.inject?.includes(EMBEDDERS) === true || [...use.children.values()].some((child) => embeds(child.use)));
