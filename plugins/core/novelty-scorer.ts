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
} from '../../src/sdk.js';
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
 * How different a candidate is from all that were seen before it: 1 − the greatest cosine similarity, KnowledgePulse's
 * Novelty (N).
 *
 * With an index it may miss the most similar one, and is then greater than it would be, never less.
 *
 * It learns every candidate that it is prepared on, in order, so that a repetition within one run counts like one
 * between runs. The first of all has nothing to compare with: it abstains.
 */
@injectable()
export class NoveltyScorer implements BatchScorer<Params, unknown, VectorMemory>, MemoryFingerprint<Params> {
  static readonly meta = defineScorer({
    summary: 'Favours candidates unlike those that were seen before.',
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

  /** An embedder or an index that cannot be had is found out before anything runs. */
  check(params: Params): void {
    checkServices(params, this.#services);
  }

  fingerprint(params: Params): string {
    return fingerprintOf(params, this.#services);
  }

  prepare(params: Params, run: Run, memory: VectorMemory) {
    return mapMaybePromise(
      compareInOrder(params, run, this.#services, memory, () => true),
      (looks) => (looks instanceof Error ? looks : this.#prepared(looks, run)),
    );
  }

  #prepared(
    { neighbours, memory }: OrderedComparison,
    run: Run,
  ): { readonly score: Score<unknown>; readonly memory: VectorMemory } {
    const score: Score<unknown> = (_candidate, index, note) => {
      const look = neighbours[index];
      if (look instanceof Error) throw look;
      if (look === undefined) return abstain(note, 'absent');
      if (look.similarity === undefined) return abstain(note, 'first');
      note?.(look.exact ? 'seen' : 'found', { similarity: look.similarity, seen: look.memoryBefore.size(run.now) });
      return Math.max(0, 1 - look.similarity); // rounding makes the cosine of the same vector a hair more than 1
    };
    return { score, memory };
  }
}
