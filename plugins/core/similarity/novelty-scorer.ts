import {
  abstain,
  type BatchScorer,
  defineScorer,
  EMBEDDERS,
  type Embedders,
  inject,
  injectable,
  type MemoryFingerprint,
  NEIGHBOUR_GRAPHS,
  type NeighbourGraphs,
  type ParamsOf,
  type Run,
  type Score,
  type VectorMemory,
} from '../../../src/sdk.js';
import { compareInOrder, type OrderedComparison } from './compare-in-order.js';
import { mapMaybePromise } from './maybe-promise.js';
import {
  checkServices,
  embeddingParams,
  fingerprintOf,
  type SimilarityServices,
  vectorMemory,
} from './similarity-unit.js';

type Params = ParamsOf<typeof NoveltyScorer>;

/**
 * Scores how different a candidate is from all before it: 1 − the greatest cosine similarity, KnowledgePulse's Novelty
 * (N).
 *
 * An index may miss the most similar vector; the score is then greater than the exact one, never less.
 *
 * Every candidate of a run is remembered, in order, so that a repetition within a run counts like one between runs. The
 * very first has nothing to be compared with and abstains.
 */
@injectable()
export class NoveltyScorer implements BatchScorer<Params, unknown, VectorMemory>, MemoryFingerprint<Params> {
  static readonly meta = defineScorer({
    summary: 'Favours candidates unlike those that were seen before.',
    reads: 'params',
    params: embeddingParams({}),
    range: [0, 2],
    scope: 'sequence',
    memory: vectorMemory,
    reasons: {
      seen: '{similarity} like the most similar of {seen} seen before',
      found: '{similarity} like the most similar that the index found of {seen} seen before',
      first: 'nothing was seen before',
      absent: 'there is no text or vector to compare',
    },
  });

  readonly #services: SimilarityServices;

  constructor(@inject(EMBEDDERS) embedders: Embedders, @inject(NEIGHBOUR_GRAPHS) graphs: NeighbourGraphs) {
    this.#services = { embedders, graphs };
  }

  /** Reports an embedder or an index that cannot be used before the first run. */
  check(params: Params): void {
    checkServices(params, this.#services);
  }

  fingerprint(params: Params): string {
    return fingerprintOf(params, this.#services);
  }

  prepare(params: Params, run: Run, memory: VectorMemory) {
    return mapMaybePromise(
      compareInOrder(params, run, this.#services, memory, () => true),
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
      const { similarity, exact, memoryBefore } = nearest;
      if (similarity === undefined) return abstain(note, 'first');
      note?.(exact ? 'seen' : 'found', { similarity, seen: memoryBefore.size(run.now) });
      return Math.max(0, 1 - similarity); // rounding makes the cosine of the same vector a hair more than 1
    };
    return { score, memory };
  }
}
