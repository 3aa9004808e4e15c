import type { Ranking } from '../ranking/index.js';

/** A document that was selected. */
export interface RelevantDocument {
  /** Its position in the documents that were given. */
  readonly index: number;
  /** Its score. The pinned have none and come first: they get the best score; one that only a fallback selected gets 0. */
  readonly relevance: number;
}

/** What a ranking has selected, in its order. What only a fallback generated is no document, and left out. */
export function relevantDocuments({ ranked, selected }: Ranking<unknown>): readonly RelevantDocument[] {
  const best = ranked[0]?.score ?? 1;
  return selected
    .filter(({ index }) => index >= 0)
    .map(({ index, score, because }) => ({ index, relevance: score ?? (because === 'pinned' ? best : 0) }));
}

/** What failed without failing the run, a line each. */
export const failureTexts = ({ degraded }: Ranking<unknown>): readonly string[] =>
  degraded.map(({ entry, cause, count }) => `${entry} failed on ${count}: ${cause}`);
