import type { Run, VectorMemory } from '../../src/sdk.js';
import { mapMaybePromise } from './maybe-promise.js';
import type { EmbeddingParams, SimilarityServices } from './similarity-unit.js';
import { type EmbeddingResult, embedTexts, hasJoinedText, readJoinedText, readVector } from './text-or-vector.js';
import { valueOrError } from './value-or-error.js';

/** How one candidate compares with what was seen before it. */
export interface NearestNeighbour {
  /** With the most similar one; undefined when nothing was seen before. */
  readonly similarity: number | undefined;
  /** Whether all were compared; an index may have missed the most similar one. */
  readonly exact: boolean;
  /** What was seen before it. */
  readonly memoryBefore: VectorMemory;
}

/** Every candidate's look: undefined where there was nothing to embed, an error where that was of a wrong kind. */
export interface OrderedComparison {
  readonly neighbours: readonly (NearestNeighbour | undefined | Error)[];
  /** What was seen after them all. */
  readonly memory: VectorMemory;
}

/**
 * Compares each candidate with what was seen before it, the earlier candidates included.
 *
 * @param learns whether one with that similarity is seen by those after it
 * @returns an error where the embedder is known to be of no use
 */
export function compareInOrder(
  params: EmbeddingParams,
  { candidates, now, abort }: Run,
  { embedders, graphs }: SimilarityServices,
  memory: VectorMemory,
  learns: (similarity: number | undefined) => boolean,
): OrderedComparison | Error | Promise<OrderedComparison> {
  const { text = [], vector, embedder: settings } = params;
  const looks = (given: readonly EmbeddingResult[]): OrderedComparison => {
    let seen = memory;
    const compare = (embedding: ArrayLike<number>): NearestNeighbour => {
      // The index grows meanwhile: whether it was asked is known now.
      const look = { similarity: seen.maxCosineSimilarity(embedding, now), exact: seen.exact, memoryBefore: seen };
      if (learns(look.similarity)) seen = seen.add(embedding, now, graphs);
      return look;
    };
    const all = given.map((embedding) => {
      if (embedding === undefined || embedding instanceof Error) return embedding;
      // A vector of a wrong width is that candidate's own mistake, but an embedder's is one of the whole run.
      return vector === undefined ? compare(embedding) : valueOrError(() => compare(embedding));
    });
    return { neighbours: all, memory: seen };
  };
  if (vector !== undefined)
    return looks(candidates.map((candidate) => valueOrError(() => readVector(vector, candidate))));
  const embedder = embedders.open(settings);
  const { unusable } = embedder;
  if (unusable && candidates.some((candidate) => valueOrError(() => hasJoinedText(text, candidate)) === true))
    return unusable;
  const texts = candidates.map((candidate) => valueOrError(() => readJoinedText(text, candidate)));
  const embeddings = embedTexts(texts, (present) => embedder.embed(present, abort));
  return mapMaybePromise(embeddings, looks);
}
