import { type Run, type VectorMemory, valueOrError } from '../../src/sdk.js';
import { mapMaybePromise } from './maybe-promise.js';
import type { EmbeddingParams, SimilarityServices } from './similarity-unit.js';
import { type EmbeddingResult, embedTexts, hasJoinedText, readJoinedText, readVector } from './text-or-vector.js';

/** The comparison of one candidate with those before it. */
export interface NearestNeighbour {
  /** The greatest cosine similarity; undefined where the memory was empty. */
  readonly similarity: number | undefined;
  /** Whether all were compared: an index may have missed the most similar one. */
  readonly exact: boolean;
  /** The memory that it was compared with. */
  readonly memoryBefore: VectorMemory;
}

/** The comparisons of a run's candidates. */
export interface OrderedComparison {
  /** By candidate: undefined where its text or vector is absent, an error where it is malformed. */
  readonly neighbours: readonly (NearestNeighbour | undefined | Error)[];
  /** The memory after the last candidate. */
  readonly memory: VectorMemory;
}

/**
 * Compares each candidate with the memory, to which earlier candidates of the run were added.
 *
 * @param remembers decides by its similarity whether a candidate is added to the memory
 * @returns an error where some candidate has a text and the embedder is known to be unusable
 */
export function compareInOrder(
  params: EmbeddingParams,
  { candidates, now, abort }: Run,
  { embedders, graphs }: SimilarityServices,
  memory: VectorMemory,
  remembers: (similarity: number | undefined) => boolean,
): OrderedComparison | Error | Promise<OrderedComparison> {
  const { text = [], vector, embedder: settings } = params;
  const compareAll = (embeddings: readonly EmbeddingResult[]): OrderedComparison => {
    let seen = memory;
    const compare = (embedding: ArrayLike<number>): NearestNeighbour => {
      // `exact` is read before the memory grows: later it would tell of an index that was not searched here.
      const nearest = { similarity: seen.maxCosineSimilarity(embedding, now), exact: seen.exact, memoryBefore: seen };
      if (remembers(nearest.similarity)) seen = seen.add(embedding, now, graphs);
      return nearest;
    };
    const neighbours = embeddings.map((embedding) => {
      if (embedding === undefined || embedding instanceof Error) return embedding;
      // A vector of a wrong width is the candidate's own mistake; one that an embedder gives fails the whole run.
      return vector === undefined ? compare(embedding) : valueOrError(() => compare(embedding));
    });
    return { neighbours, memory: seen };
  };
  if (vector !== undefined)
    return compareAll(candidates.map((candidate) => valueOrError(() => readVector(vector, candidate))));
  const embedder = embedders.open(settings);
  const { unusable } = embedder;
  if (unusable && candidates.some((candidate) => valueOrError(() => hasJoinedText(text, candidate)) === true))
    return unusable;
  const texts = candidates.map((candidate) => valueOrError(() => readJoinedText(text, candidate)));
  const embeddings = embedTexts(texts, (present) => embedder.embed(present, abort));
  return mapMaybePromise(embeddings, compareAll);
}
