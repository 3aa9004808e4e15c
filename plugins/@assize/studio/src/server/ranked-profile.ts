import { readFile } from 'node:fs/promises';
import type { JudgedQuery } from '@assize/evaluate';
import { type Context, createPipeline, type Pipeline, type Ranking, type Trust } from 'assize';
import { effectiveProfile, type TrackedFiles } from 'assize/internal';
import type { OtherRanking, ProfileDocument } from '../data/studio-data.js';

/** The profile of a source and its trust level. */
type ProfileOf = Pick<StudioSource, 'profile' | 'trust'>;

/** A profile as it is in its file, and its rankings, which are computed on first use and cached. */
export class RankedProfile {
  readonly #rankings = new ByQuery(({ candidates, context }) =>
    this.pipeline.rank(candidates, context, { prune: false, updateMemory: false }),
  );

  readonly #dated = new WeakMap<StudioQuery, StudioQuery>();

  private constructor(
    /** The profile merged with the profiles that it extends. */
    readonly document: ProfileDocument,
    private readonly pipeline: Pipeline<object>,
    /** The text of the file; undefined for a preset. */
    readonly text: string | undefined,
  ) {}

  /**
   * @param tracked receives the files of the profile
   * @throws AssizeError with every problem of the profile
   */
  static async open(
    { profile, trust = 'full' }: ProfileOf,
    file: string | undefined,
    tracked: TrackedFiles,
  ): Promise<RankedProfile> {
    // If it cannot be read, the pipeline reports that.
    const text = file === undefined ? undefined : await readFile(file, 'utf8').catch(() => undefined);
    const pipeline = await tracked.createPipeline<object>(profile, { trust });
    return new RankedProfile(await effectiveProfile(profile, { defaults: false, trust }), pipeline, text);
  }

  /**
   * A profile that is not in a file.
   *
   * @param name the file name in problems
   * @param folder the base of its relative paths
   * @throws AssizeError with every problem of the text
   */
  static async ofText(
    yaml: string,
    name: string,
    folder: string | undefined,
    trust: Trust = 'full',
  ): Promise<RankedProfile> {
    const options = { trust, ...(folder !== undefined && { folder }) };
    const pipeline = await createPipeline<object>({ yaml, name }, options);
    return new RankedProfile(await effectiveProfile({ yaml, name }, options), pipeline, yaml);
  }

  /** The fields that the profile reads. */
  get candidateReads(): Pipeline<object>['candidateReads'] {
    return this.pipeline.candidateReads;
  }

  /** The same profile with another text, which an editor may have written meanwhile. */
  withText(text: string): RankedProfile {
    return text === this.text ? this : new RankedProfile(this.document, this.pipeline, text);
  }

  /** Ranks all candidates of a query by all scorers, without pruning. */
  ranking(query: StudioQuery): Promise<Ranking<object>> {
    return this.#rankings.of(query);
  }

  /** The same at a given time, in milliseconds, if the context of the query has none. */
  rankingAt(query: StudioQuery, now: number): Promise<Ranking<object>> {
    const at = this.#dated.get(query) ?? { ...query, context: { now, ...query.context } };
    this.#dated.set(query, at);
    return this.#rankings.of(at);
  }
}

/** A compared profile. The page shows its order of the same candidates, but cannot edit it. */
export class OtherProfile {
  readonly #rankings = new ByQuery((query) => this.#rank(query));

  private constructor(
    private readonly title: string,
    private readonly pipeline: Pipeline<object>,
  ) {}

  /**
   * The other profiles of a source, from their current files.
   *
   * @param tracked receives the files of the profiles
   * @throws AssizeError with every problem of the first invalid one
   */
  static async openAll(
    { others = [], trust = 'full' }: StudioSource,
    tracked: TrackedFiles,
  ): Promise<readonly OtherProfile[]> {
    const opened: OtherProfile[] = [];
    for (const title of others) {
      // oxlint-disable-next-line no-await-in-loop -- the first invalid one is reported
      opened.push(new OtherProfile(title, await tracked.createPipeline<object>(title, { trust })));
    }
    return opened;
  }

  /** The order of a query's candidates. */
  ranking(query: StudioQuery): Promise<OtherRanking> {
    return this.#rankings.of(query);
  }

  async #rank({ candidates, context, grades }: StudioQuery): Promise<OtherRanking> {
    const ranking = await this.pipeline.rank(candidates, context, { prune: false, updateMemory: false });
    const { order, matrix, counts } = ranking;
    return {
      title: this.title,
      order: Array.from(order, (row) => matrix.index[row]!),
      ...(grades && { scores: Array.from(order, (row) => matrix.totals[row]!) }),
      ...(counts.notSelected > 0 && {
        selected: ranking.selected.map(({ index }) => index).filter((index) => index >= 0),
      }),
    };
  }
}

/** Caches a result per query, computed on first use. Failures are not cached. */
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

/** The candidates of one request. */
interface OneList {
  readonly candidates: readonly object[];
  readonly context: Context;
  /** The grade of each candidate, by position: 0 if it is not relevant, undefined if it is not judged. */
  readonly grades?: readonly (number | undefined)[];
}

/** The candidates of several requests with judgements, as `readDataset` returns them. */
interface SeveralLists {
  readonly queries: readonly JudgedQuery<object>[];
}

/** The content of a studio. */
export type StudioSource = (OneList | SeveralLists) & {
  /** A preset's name, or a path. */
  readonly profile: string;
  /** Other profiles to compare. The page shows their order of the same candidates. */
  readonly others?: readonly string[];
  /** The file of the grades that people give in the page. Default: the profile's file with `.grades.jsonl`. */
  readonly gradesFile?: string | undefined;
  /** The file of the choices between two items. Default: the profile's file with `.answers.jsonl`. */
  readonly answersFile?: string | undefined;
  /** The path to the id in a candidate, by which files of judgements name it. Default: as the profile reads it, else `id`. */
  readonly id?: string | undefined;
  /** The path to the grade, which was removed from the candidates. A profile that reads it is refused. */
  readonly label?: string | undefined;
  /** `none` if the profile is not trusted. */
  readonly trust?: Trust;
};

/** A query of a studio; without grades if its candidates are not judged. */
export type StudioQuery = Omit<JudgedQuery<object>, 'grades'> & Partial<Pick<JudgedQuery, 'grades'>>;

/** The queries of a source: one if it has one list. */
export function queriesOf(source: StudioSource): readonly StudioQuery[] {
  if ('queries' in source) return source.queries;
  const { candidates, context, grades } = source;
  return [{ id: '', candidates, context, ...(grades && { grades }) }];
}

/** Whether a query is judged. */
export const isJudged = (query: StudioQuery): query is JudgedQuery<object> => query.grades !== undefined;
