import { meanOf } from '@assize/evaluate/measures';
import type { QueryData, StudioData } from '../../data/studio-data.js';
import type { Kept } from '../model/history.js';
import {
  judgedShares,
  MEASURE_NAMES,
  NO_QUALITY,
  type Ordered,
  orderedBy,
  orderedByOther,
  type Quality,
  qualityOf,
} from '../model/quality.js';
import { Drafts } from '../model/drafts.js';
import type { AskServer } from '../model/ranker.js';
import type { Settings } from '../settings/settings.js';
import { unsaved } from '../settings/unsaved.js';

/** How good the rankings of all queries are. */
export interface QueriesQuality {
  readonly byQuery: readonly Quality[];
  /** By query: the share of judged ranks, by measure. */
  readonly judged: readonly Quality[];
  /** The means over the judged queries, by measure; without AUC, which compares candidates of all queries or none. */
  readonly means: Quality;
  /** How many queries are judged. */
  readonly judgedQueries: number;
}

/** How long the page may not answer while queries are measured, in milliseconds. */
const PIECE_MS = 12;

/** Asks the server about a query for what only it can do. */
export type AskAbout = (query: number) => AskServer;

/** The queries of a page that has several. */
export class SeveralQueries {
  readonly #drafts = new Map<number, Promise<Drafts>>();
  /** The measured queries, by the settings or by the title of another profile. */
  readonly #known = new WeakMap<Settings, Measurement>();
  readonly #knownOthers = new Map<string, Measurement>();
  #all: readonly QueryData[];
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly data: StudioData,
    all: readonly QueryData[],
    readonly askAbout: AskAbout | undefined,
  ) {
    this.#all = all;
  }

  /** Takes the grades of a query as they are now. */
  regrade(query: number, grades: QueryData['grades']): void {
    this.#all = this.#all.map((one, k) => (k === query && grades ? { ...one, grades } : one));
  }

  /** Another value after the grades of a query have changed. */
  get gradedAs(): unknown {
    return this.#all;
  }

  get ids(): readonly string[] {
    return this.data.queries ?? [];
  }

  /** By query: its group, where queries have one. */
  get groups(): readonly string[] | undefined {
    const { ids } = this;
    return this.#all.some(({ group }) => group !== undefined)
      ? this.#all.map(({ group }, query) => group ?? ids[query]!)
      : undefined;
  }

  /** What the page shows of a query. */
  dataOf(query: number): StudioData {
    return { ...this.data, ...this.#all[query] };
  }

  /**
   * Ranks every query by settings, and measures the rankings as `assize evaluate` does: in pieces between which the page
   * can answer, and after what was asked for before.
   *
   * @param settings what differs from the profile, or all that is set, as it is kept
   * @param isWanted false ends it
   * @returns undefined where it was ended
   */
  measure(settings: Settings, isWanted: () => boolean): Promise<QueriesQuality | undefined> {
    const measured = this.#last.then(() => {
      const known = this.#known.get(settings);
      return known ? this.#regraded(known) : this.#measure(settings, isWanted);
    });
    this.#last = measured.catch(() => {});
    return measured;
  }

  /** The same of what was kept: by its settings, or by the orders of another profile. */
  measureKept(
    { name, settings }: Pick<Kept, 'name' | 'settings'>,
    isWanted: () => boolean,
  ): Promise<QueriesQuality | undefined> {
    return settings ? this.measure(settings, isWanted) : Promise.resolve(this.#measureOther(name));
  }

  #measureOther(title: string): QueriesQuality {
    const known = this.#knownOthers.get(title);
    if (known) return this.#regraded(known);
    const orders = this.#all.map(({ others }) => {
      const other = others?.find((one) => one.title === title);
      return other && orderedByOther(other);
    });
    const measurement = new Measurement(orders);
    this.#knownOthers.set(title, measurement);
    return this.#regraded(measurement);
  }

  async #measure(settings: Settings, isWanted: () => boolean): Promise<QueriesQuality | undefined> {
    const orders: (Ordered | undefined)[] = [];
    let since = performance.now();
    for (let query = 0; query < this.#all.length; query++) {
      if (!isWanted()) return undefined;
      // oxlint-disable-next-line no-await-in-loop -- one after another
      orders.push(await this.#orderBy(query, settings));
      if (performance.now() - since < PIECE_MS) continue;
      // oxlint-disable-next-line no-await-in-loop -- between two pieces
      await new Promise((go) => setTimeout(go));
      since = performance.now();
    }
    const measurement = new Measurement(orders);
    this.#known.set(settings, measurement);
    return this.#regraded(measurement);
  }

  #regraded(measurement: Measurement): QueriesQuality {
    return measurement.by(this.#all);
  }

  async #orderBy(query: number, settings: Settings): Promise<Ordered> {
    const data = this.dataOf(query);
    const drafts = this.#drafts.get(query) ?? Drafts.open(data, this.askAbout?.(query));
    this.#drafts.set(query, drafts);
    const ranker = await (await drafts).of(settings.edits);
    const ranking = await ranker.rank(unsaved(ranker.data, settings));
    return orderedBy(ranking, data.candidates.length);
  }
}

interface MeasuredQuery {
  readonly quality: Quality;
  readonly judged: Quality;
}

const NOTHING_MEASURED: MeasuredQuery = { quality: NO_QUALITY, judged: NO_QUALITY };

const measured = (ordered: Ordered, data: QueryData): MeasuredQuery => ({
  quality: qualityOf(ordered, data),
  judged: judgedShares(ordered, data),
});

/** The orders of all queries. After a grade, only its query is measured again. */
class Measurement {
  #last: QueriesQuality | undefined;
  #measuredFor: readonly QueryData[] = [];
  #queries: readonly MeasuredQuery[] = [];

  /** @param orders by query; undefined if another profile has no order of it */
  constructor(private readonly orders: readonly (Ordered | undefined)[]) {}

  by(all: readonly QueryData[]): QueriesQuality {
    if (this.#last && all === this.#measuredFor) return this.#last;
    this.#queries = all.map((data, query) => {
      const known = this.#queries[query];
      if (known && this.#measuredFor[query] === data) return known;
      const ordered = this.orders[query];
      return ordered && isJudged(data) ? measured(ordered, data) : NOTHING_MEASURED;
    });
    this.#measuredFor = all;
    this.#last = together(this.#queries, all.filter(isJudged).length);
    return this.#last;
  }
}

/** Whether a query counts, as in `assize evaluate`: one without any grade does not. */
const isJudged = ({ grades, missing = [] }: QueryData): boolean =>
  missing.length > 0 || (grades?.some((grade) => grade !== null) ?? false);

function together(queries: readonly MeasuredQuery[], judgedQueries: number): QueriesQuality {
  const byQuery = queries.map(({ quality }) => quality);
  const counted = byQuery.filter(({ size }) => size > 0);
  const means = MEASURE_NAMES.map((name) => [name, meanOf(counted.map((one) => one.get(name) ?? 0))] as const);
  return {
    byQuery,
    judged: queries.map(({ judged }) => judged),
    means: judgedQueries === 0 ? NO_QUALITY : new Map(means),
    judgedQueries,
  };
}

/** A query that other weights rank better or worse. */
export interface QueryGain {
  readonly query: number;
  /** How the first measure differs. */
  readonly gain: number;
}

/** The queries whose first measure differs, those that gained most first. */
export function queryGains(now: QueriesQuality, before: QueriesQuality): readonly QueryGain[] {
  const [first] = MEASURE_NAMES;
  return now.byQuery
    .map((one, query) => ({ query, gain: (one.get(first!) ?? 0) - (before.byQuery[query]?.get(first!) ?? 0) }))
    .filter(({ gain }) => gain !== 0)
    .sort((a, b) => b.gain - a.gain);
}
