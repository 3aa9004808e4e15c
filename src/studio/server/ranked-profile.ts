import { readFile } from 'node:fs/promises';
import { createTrackedPipeline, effectiveProfile, type ProfileSources } from '../../pipeline/node.js';
import type { JudgedQuery } from '../../evaluate/index.js';
import { type Context, createPipeline, type Pipeline, type Ranking, type Trust } from '../../index.js';
import { type OtherRanking, type ProfileDocument, switched, switchingOn } from '../data/studio-data.js';

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

/** What is computed of each query: once, when it is first asked for. What failed is computed again. */
class ByQuery<R> {
  readonly #known = new Map<StudioQuery, Promise<R>>();

  constructor(private readonly compute: (query: StudioQuery) => Promise<R>) {}

  of(query: StudioQuery): Promise<R> {
    const known = this.#known.get(query);
    if (known) return known;
    const computed = this.compute(query);
    this.#known.set(query, computed);
    computed.catch(() => void this.#known.delete(query));
    return computed;
  }
}

/** Candidates of one request. */
interface OneList {
  readonly candidates: readonly object[];
  readonly context: Context;
  /** What somebody judged of each candidate, by position: 0 where it is not relevant, undefined where nobody did. */
  readonly grades?: readonly (number | undefined)[];
}

/** Candidates of several requests, each with its judgements, as `readDataset` reads them. */
interface SeveralLists {
  readonly queries: readonly JudgedQuery<object>[];
}

/** What a studio shows. */
export type StudioSource = (OneList | SeveralLists) & {
  /** A preset's name, or a path. */
  readonly profile: string;
  /** Other profiles, by which the page shows the same candidates beside it. */
  readonly others?: readonly string[];
  /** `none`: the profile is a stranger's. */
  readonly trust?: Trust;
};

/** A query of a studio; of candidates that nobody judged, without grades. */
export type StudioQuery = Omit<JudgedQuery<object>, 'grades'> & Partial<Pick<JudgedQuery, 'grades'>>;

/** The queries of a source: one, where it has one list. */
export function queriesOf(source: StudioSource): readonly StudioQuery[] {
  if ('queries' in source) return source.queries;
  const { candidates, context, grades } = source;
  return [{ id: '', candidates, context, ...(grades && { grades }) }];
}

/** Whether somebody judged a query. */
export const isJudged = (query: StudioQuery): query is JudgedQuery<object> => query.grades !== undefined;
