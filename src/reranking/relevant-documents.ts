import type { ServeSpec } from '../profile/index.js';
import type { Ranking } from '../ranking/index.js';

/** A document that was selected. */
export interface RelevantDocument {
  /** Its position in the documents that were given. */
  readonly index: number;
  /** Its score, by the profile's `serve.relevance`; 0 for one that only a fallback selected. */
  readonly relevance: number;
  /** Its score as the profile computes it. A pinned document has the best one. Undefined for a fallback. */
  readonly score: number | undefined;
}

/** By `serve.relevance`: the relevance of a score. It never falls where the score rises. */
const RELEVANCE: Readonly<Record<ServeSpec['relevance'], (score: number, best: number) => number>> = {
  clamp: (score) => Math.min(1, Math.max(0, score)),
  max: (score, best) => (best > 0 ? Math.max(0, score / best) : 0),
  sigmoid: (score) => 1 / (1 + Math.exp(-score)),
  score: (score) => score,
};

/** The documents that a ranking selected, in its order. A candidate that only a fallback generated is not a document. */
export function relevantDocuments(
  { ranked, selected }: Ranking<unknown>,
  { relevance: by }: Pick<ServeSpec, 'relevance'>,
): readonly RelevantDocument[] {
  const best = ranked[0]?.score ?? 1;
  return selected
    .filter(({ index }) => index >= 0)
    .map(({ index, score: own, because }) => {
      const score = own ?? (because === 'pinned' ? best : undefined);
      return { index, score, relevance: score === undefined ? 0 : RELEVANCE[by](score, best) };
    });
}

/** The number of documents whose score was cut to be a relevance. */
export const cutCount = (
  documents: readonly RelevantDocument[],
  { relevance }: Pick<ServeSpec, 'relevance'>,
): number => (relevance === 'clamp' ? documents.filter(({ score = 0 }) => score < 0 || score > 1).length : 0);

/** What failed without failing the run, a line each. */
export const failureTexts = ({ degraded }: Ranking<unknown>): readonly string[] =>
  degraded.map(({ entry, cause, count }) => `${entry} failed on ${count}: ${cause}`);
