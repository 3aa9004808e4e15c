import { readFile } from 'node:fs/promises';
import { createTrackedPipeline, effectiveProfile } from '../../container.js';
import { createPipeline, type Pipeline, type Ranking } from '../../index.js';
import { type ProfileDocument, switched, switchingOn } from '../data/profile-document.js';
import type { ProfileSources } from '../../tracked-host.js';
import { ByQuery } from './by-query.js';
import type { StudioQuery, StudioSource } from './studio-source.js';

/** Which profile a source has, and how far it is trusted. */
type ProfileOf = Pick<StudioSource, 'profile' | 'trust'>;

/** A profile as it stands in its file, and the rankings by it: each is made when it is first asked for, and kept. */
export class RankedProfile {
  readonly #rankings = new ByQuery(({ candidates, context }) =>
    this.pipeline.rank(candidates, context, { prune: false, learn: false }),
  );

  private constructor(
    /** The profile with all that it extends. */
    readonly document: ProfileDocument,
    private readonly pipeline: Pipeline<object>,
    /** Of the file; undefined of a preset. */
    readonly text: string | undefined,
  ) {}

  /**
   * @param noted receives the files that it is made of
   * @throws AssizeError with every problem of the profile
   */
  static async open(
    { profile, trust = 'full' }: ProfileOf,
    file: string | undefined,
    noted: ProfileSources,
  ): Promise<RankedProfile> {
    // Where it cannot be read, the pipeline says so.
    const text = file === undefined ? undefined : await readFile(file, 'utf8').catch(() => undefined);
    const pipeline = await createTrackedPipeline<object>(profile, { trust }, noted);
    return new RankedProfile(await effectiveProfile(profile, { defaults: false, trust }), pipeline, text);
  }

  /** The same with entries that it has switched off. */
  async with(ids: readonly string[], { profile, trust = 'full' }: ProfileOf): Promise<RankedProfile> {
    if (ids.length === 0) return this;
    const pipeline = await createPipeline<object>(switchingOn(profile, this.document, ids), { trust });
    return new RankedProfile(switched(this.document, ids, true), pipeline, this.text);
  }

  /** All candidates of a query by all scorers: without pruning. */
  ranking(query: StudioQuery): Promise<Ranking<object>> {
    return this.#rankings.of(query);
  }
}
