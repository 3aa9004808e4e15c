import {
  abstain,
  type BatchScorer,
  type BatchVeto,
  COSINE_ROUNDING,
  defineScorer,
  defineVeto,
  EMBEDDERS,
  type Embedders,
  type MemoryFingerprint,
  NEIGHBOUR_GRAPHS,
  type NeighbourGraphs,
  type ParamsOf,
  type Run,
  type Score,
  valueOrError,
  type VectorMemory,
  z,
} from '../../src/unit-sdk.js';
import {
  checkServices,
  embeddingParams,
  type EmbeddingParams,
  type EmbeddingResult,
  embedTexts,
  fingerprintOf,
  hasJoinedText,
  mapMaybePromise,
  readJoinedText,
  readVector,
  type SimilarityServices,
  vectorMemory,
} from './embeddings.js';

/** A unit that compares candidates with a memory of vectors. */
abstract class SimilarityUnit implements MemoryFingerprint<EmbeddingParams> {
  protected readonly services: SimilarityServices;

  static readonly inject = [EMBEDDERS, NEIGHBOUR_GRAPHS];
  constructor(embedders: Embedders, graphs: NeighbourGraphs) {
    this.services = { embedders, graphs };
  }

  /** Reports an embedder or an index that cannot be used before the first run. */
  check(params: EmbeddingParams): void {
    checkServices(params, this.services);
  }

  fingerprint(params: EmbeddingParams): string {
    return fingerprintOf(params, this.services);
  }
}

type SimilarityVetoParams = ParamsOf<typeof SimilarityVeto>;

/**
 * Refuses near-duplicates: candidates whose greatest cosine similarity to earlier accepted candidates reaches the
 * threshold. Earlier means before it in this run, or in an earlier run. Refused candidates are not remembered. With an
 * index, a near-duplicate may be missed; no other candidate is refused.
 */
export class SimilarityVeto extends SimilarityUnit implements BatchVeto<SimilarityVetoParams, unknown, VectorMemory> {
  static readonly meta = defineVeto({
    summary: 'Refuses candidates that are too similar to one already accepted.',
    reads: 'params',
    params: embeddingParams({
      threshold: z
        .number()
        .gt(0)
        .max(1)
        .default(0.95)
        .describe('Candidates with at least this cosine similarity are refused.'),
    }),
    scope: 'sequence',
    memory: vectorMemory,
    reasons: {
      alike: '{similarity} similar to an accepted candidate, at least {threshold}',
      unlike: '{similarity} similar to the nearest accepted candidate, less than {threshold}',
      unfound: '{similarity} similar to the nearest one that the index found, less than {threshold}',
      first: 'no candidate was accepted before',
      absent: 'there is no text or vector to compare',
    },
  });

  prepare(params: SimilarityVetoParams, run: Run, memory: VectorMemory) {
    const { threshold } = params;
    const alike = (similarity: number | undefined) =>
      similarity !== undefined && similarity >= threshold - COSINE_ROUNDING;
    return mapMaybePromise(
      compareInOrder(params, run, this.services, memory, (similarity) => !alike(similarity)),
      (compared) => (compared instanceof Error ? compared : this.#prepared(compared, threshold, alike)),
    );
  }

  #prepared(
    { neighbours, memory }: OrderedComparison,
    threshold: number,
    alike: (similarity: number | undefined) => boolean,
  ): { readonly score: Score<unknown, boolean>; readonly memory: VectorMemory } {
    const reasonOf = ({ similarity, exact }: NearestNeighbour): 'alike' | 'unlike' | 'unfound' => {
      if (alike(similarity)) return 'alike';
      return exact ? 'unlike' : 'unfound';
    };
    const score: Score<unknown, boolean> = (_candidate, index, note) => {
      const nearest = neighbours[index];
      if (nearest instanceof Error) throw nearest;
      if (nearest === undefined) return abstain(note, 'absent');
      const { similarity } = nearest;
      if (similarity === undefined) note?.('first');
      else note?.(reasonOf(nearest), { similarity, threshold });
      return alike(similarity);
    };
    return { score, memory };
  }
}

type NoveltyParams = ParamsOf<typeof NoveltyScorer>;

/**
 * Scores how different a candidate is from all candidates before it: 1 − the greatest cosine similarity. This is
 * KnowledgePulse's Novelty (N).
 *
 * With an index, the most similar vector may be missed; the score is then greater than the exact one, never less.
 *
 * Every candidate of a run is remembered, in order, so that a repetition within a run counts like one between runs. The
 * very first candidate has nothing to compare with and abstains.
 *
 * A candidate with an id is remembered once: if it comes again, it gets the score of the first time. If its vector has
 * changed, it is compared with all others, and the new vector replaces the old one.
 */
export class NoveltyScorer extends SimilarityUnit implements BatchScorer<NoveltyParams, unknown, VectorMemory> {
  static readonly meta = defineScorer({
    summary: 'Favours candidates that differ from those seen before.',
    reads: 'params',
    params: embeddingParams({}),
    range: [0, 2],
    scope: 'sequence',
    memory: vectorMemory,
    reasons: {
      seen: '{similarity} similar to the nearest of {seen} seen before',
      found: '{similarity} similar to the nearest that the index found of {seen} seen before',
      again: '{similarity} similar to the nearest of those seen before it, when it was seen first',
      first: 'nothing was seen before',
      absent: 'there is no text or vector to compare',
    },
  });

  prepare(params: NoveltyParams, run: Run, memory: VectorMemory) {
    return mapMaybePromise(
      compareInOrder(
        params,
        run,
        this.services,
        memory,
        () => true,
        (candidate) => run.idOf(candidate),
      ),
      (compared) => (compared instanceof Error ? compared : this.#prepared(compared, run)),
    );
  }

  #prepared(
    { neighbours, memory }: OrderedComparison,
    run: Run,
  ): { readonly score: Score<unknown>; readonly memory: VectorMemory } {
    const score: Score<unknown> = (_candidate, index, note) => {
      const nearest = neighbours[index];
      if (nearest instanceof Error) throw nearest;
      if (nearest === undefined) return abstain(note, 'absent');
      const { similarity, recalled, exact, memoryBefore } = nearest;
      if (similarity === undefined) return abstain(note, 'first');
      if (recalled) {
        note?.('again', { similarity });
        return Math.max(0, 1 - similarity);
      }
      note?.(exact ? 'seen' : 'found', { similarity, seen: memoryBefore.size(run.now) });
      return Math.max(0, 1 - similarity); // by rounding, the cosine of equal vectors may exceed 1
    };
    return { score, memory };
  }
}

/** The comparison of one candidate with the candidates before it. */
interface NearestNeighbour {
  /** The greatest cosine similarity; undefined if the memory was empty. */
  readonly similarity: number | undefined;
  /** Whether it is known from an earlier comparison of this candidate. */
  readonly recalled: boolean;
  /** Whether all were compared: an index may have missed the most similar one. */
  readonly exact: boolean;
  /** The memory that it was compared with. */
  readonly memoryBefore: VectorMemory;
}

/** The comparisons of a run's candidates. */
interface OrderedComparison {
  /** By candidate: undefined if its text or vector is absent, an error if it is malformed. */
  readonly neighbours: readonly (NearestNeighbour | undefined | Error)[];
  /** The memory after the last candidate. */
  readonly memory: VectorMemory;
}

/**
 * Compares each candidate with the memory, which also contains the earlier candidates of the run.
 *
 * @param remembers decides by the similarity whether a candidate is added to the memory
 * @param idOf      the id of a candidate; a candidate is not compared with an earlier one of the same id
 * @returns an error if some candidate has a text and the embedder is known to be unusable
 */
function compareInOrder(
  params: EmbeddingParams,
  run: Run,
  { embedders, graphs }: SimilarityServices,
  memory: VectorMemory,
  remembers: (similarity: number | undefined) => boolean,
  idOf?: (candidate: unknown) => string | undefined,
): OrderedComparison | Error | Promise<OrderedComparison> {
  const embeddings = embeddingsOf(params, run, embedders);
  if (embeddings instanceof Error) return embeddings;
  return mapMaybePromise(embeddings, (all) => {
    const { now } = run;
    let seen = memory;
    const compare = (embedding: ArrayLike<number>, id: string | undefined): NearestNeighbour => {
      // `exact` is read before the memory grows. Later it could refer to an index that was not searched here.
      const before = { exact: seen.exact, memoryBefore: seen };
      const mark = id === undefined ? undefined : seen.recall(id, embedding, now);
      if (mark) return { similarity: mark.similarity, recalled: true, ...before };
      const similarity = seen.maxCosineSimilarity(embedding, now, id);
      if (remembers(similarity))
        seen = seen.add(embedding, now, graphs, id === undefined ? undefined : { id, similarity });
      return { similarity, recalled: false, ...before };
    };
    const neighbours = all.map((embedding, index) => {
      if (embedding === undefined || embedding instanceof Error) return embedding;
      const id = idOf?.(run.candidates[index]);
      // A candidate's own vector of a wrong width fails that candidate; a wrong width from an embedder fails the run.
      return params.vector === undefined ? compare(embedding, id) : valueOrError(() => compare(embedding, id));
    });
    return { neighbours, memory: seen };
  });
}

/**
 * The vectors of a run's candidates: their own vectors, or the embeddings of their texts.
 *
 * @returns an error if some candidate has a text and the embedder is known to be unusable
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
