import { createTrackedPipeline } from '../../container.js';
import type { Pipeline } from '../../index.js';
import type { ProfileSources } from '../../tracked-host.js';
import type { OtherRanking } from '../data/other-ranking.js';
import { ByQuery } from './by-query.js';
import type { StudioQuery, StudioSource } from './studio-source.js';

/** A profile that a page does not weigh: it shows the order of the same candidates by it, beside its own. */
export class OtherProfile {
  readonly #rankings = new ByQuery((query) => this.#rank(query));

  private constructor(
    private readonly title: string,
    private readonly pipeline: Pipeline<object>,
  ) {}

  /**
   * The other profiles of a source, as their files are now.
   *
   * @param noted receives the files that they are made of
   * @throws AssizeError with every problem of the first one that has any
   */
  static async openAll(
    { others = [], trust = 'full' }: StudioSource,
    noted: ProfileSources,
  ): Promise<readonly OtherProfile[]> {
    const opened: OtherProfile[] = [];
    for (const title of others) {
      // oxlint-disable-next-line no-await-in-loop -- the first that is wrong is said
      opened.push(new OtherProfile(title, await createTrackedPipeline<object>(title, { trust }, noted)));
    }
    return opened;
  }

  /** The order of a query's candidates. */
  ranking(query: StudioQuery): Promise<OtherRanking> {
    return this.#rankings.of(query);
  }

  async #rank({ candidates, context, grades }: StudioQuery): Promise<OtherRanking> {
    const ranking = await this.pipeline.rank(candidates, context, { prune: false, learn: false });
    const { order, matrix, counts } = ranking;
    return {
      title: this.title,
      order: Array.from(order, (row) => matrix.index[row]!),
      ...(grades && { scores: Array.from(order, (row) => matrix.totals[row]!) }),
      ...(counts.leftOut > 0 && { selected: ranking.selected.map(({ index }) => index).filter((index) => index >= 0) }),
    };
  }
}
