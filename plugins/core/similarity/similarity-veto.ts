import {
  abstain,
  type BatchVeto,
  COSINE_ROUNDING,
  defineVeto,
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
  z,
} from '../../../src/sdk.js';
import { compareInOrder, type NearestNeighbour, type OrderedComparison } from './compare-in-order.js';
import { mapMaybePromise } from './maybe-promise.js';
import {
  checkServices,
  embeddingParams,
  fingerprintOf,
  type SimilarityServices,
  vectorMemory,
} from './similarity-unit.js';

type Params = ParamsOf<typeof SimilarityVeto>;

/**
 * Refuses near-duplicates: candidates whose greatest cosine similarity with those let through before, in this run or an
 * earlier one, reaches the threshold. Refused candidates are not remembered. An index may miss a near-duplicate, and
 * never refuses anything else.
 */
@injectable()
export class SimilarityVeto implements BatchVeto<Params, unknown, VectorMemory>, MemoryFingerprint<Params> {
  static readonly meta = defineVeto({
    summary: 'Refuses candidates too like one that was already let through.',
    reads: 'params',
    params: embeddingParams({
      threshold: z
        .number()
        .gt(0)
        .max(1)
        .default(0.95)
        .describe('The cosine similarity from which on a candidate is refused.'),
    }),
    scope: 'sequence',
    memory: vectorMemory,
    reasons: {
      alike: '{similarity} like one that was let through, at least {threshold}',
      unlike: '{similarity} like the most similar that was let through, less than {threshold}',
      unfound: '{similarity} like the most similar that the index found, less than {threshold}',
      first: 'nothing was let through before',
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
    const { threshold } = params;
    const alike = (similarity: number | undefined) =>
      similarity !== undefined && similarity >= threshold - COSINE_ROUNDING;
    return mapMaybePromise(
      compareInOrder(params, run, this.#services, memory, (similarity) => !alike(similarity)),
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
