import { type Embedders, type Run, type VectorMemory, valueOrError } from '../../../src/sdk.js';
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
  run: Run,
  { embedders, graphs }: SimilarityServices,
  memory: VectorMemory,
  remembers: (similarity: number | undefined) => boolean,
): OrderedComparison | Error | Promise<OrderedComparison> {
  const embeddings = embeddingsOf(params, run, embedders);
  if (embeddings instanceof Error) return embeddings;
  return mapMaybePromise(embeddings, (all) => {
    const { now } = run;
    let seen = memory;
    const compare = (embedding: ArrayLike<number>): NearestNeighbour => {
      // `exact` is read before the memory grows: later it would tell of an index that was not searched here.
      const nearest = { similarity: seen.maxCosineSimilarity(embedding, now), exact: seen.exact, memoryBefore: seen };
      if (remembers(nearest.similarity)) seen = seen.add(embedding, now, graphs);
      return nearest;
    };
    const neighbours = all.map((embedding) => {
      if (embedding === undefined || embedding instanceof Error) return embedding;
      // A vector of a wrong width is the candidate's own mistake; one that an embedder gives fails the whole run.
      return params.vector === undefined ? compare(embedding) : valueOrError(() => compare(embedding));
    });
    return { neighbours, memory: seen };
  });
}

/**
 * The vectors of a run's candidates: their own, or those of their texts.
 *
 * @returns an error where some candidate has a text and the embedder is known to be unusable
 */
function embeddingsOf(
  { text = [], vector, embedder: settings }: EmbeddingParams,
  { candidates, abort }: Run,
  embedders: Embedders,
): readonly EmbeddingResult[] | Error | Promise<readonly EmbeddingResult[]> {
  if (vector !== undefined) return candidates.map((candidate) => valueOrError(() => readVector(vector, candidate)));
  const embedder = embedders.open(settings);
  const { unusable } = embedder;
  if (unusable && candidates.some((candidate) => valueOrError(() => hasJoinedText(text, candidate)) === true))
    return unusable;
  const texts = candidates.map((candidate) => valueOrError(() => readJoinedText(text, candidate)));
  return embedTexts(texts, (present) => embedder.embed(present, abort));
}
