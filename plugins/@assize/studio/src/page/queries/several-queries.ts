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
  /** The means over the queries, by measure; without AUC, which compares candidates of all queries or none. */
  readonly means: Quality;
}

/** How long the page may not answer while queries are measured, in milliseconds. */
const PIECE_MS = 12;

/** Asks the server about a query for what only it can do. */
export type AskAbout = (query: number) => AskServer;

/** The queries of a page that has several. */
export class SeveralQueries {
  readonly #drafts = new Map<number, Promise<Drafts>>();
  readonly #known = new WeakMap<Settings, QueriesQuality>();
  readonly #knownOthers = new Map<string, QueriesQuality>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly data: StudioData,
    private readonly all: readonly QueryData[],
    readonly askAbout: AskAbout | undefined,
  ) {}

  get ids(): readonly string[] {
    return this.data.queries ?? [];
  }

  /** By query: its group, where queries have one. */
  get groups(): readonly string[] | undefined {
    const { ids } = this;
    return this.all.some(({ group }) => group !== undefined)
      ? this.all.map(({ group }, query) => group ?? ids[query]!)
      : undefined;
  }

  /** What the page shows of a query. */
  dataOf(query: number): StudioData {
    return { ...this.data, ...this.all[query] };
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
    const measured = this.#last.then(() => this.#known.get(settings) ?? this.#measure(settings, isWanted));
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
    if (known) return known;
    const quality = together(
      this.all.map((data) => {
        const other = data.others?.find((one) => one.title === title);
        return other ? measured(orderedByOther(other), data) : NOTHING_MEASURED;
      }),
    );
    this.#knownOthers.set(title, quality);
    return quality;
  }

  async #measure(settings: Settings, isWanted: () => boolean): Promise<QueriesQuality | undefined> {
    const byQuery: MeasuredQuery[] = [];
    let since = performance.now();
    for (let query = 0; query < this.all.length; query++) {
      if (!isWanted()) return undefined;
      // oxlint-disable-next-line no-await-in-loop -- one after another
      byQuery.push(await this.#measuredBy(query, settings));
      if (performance.now() - since < PIECE_MS) continue;
      // oxlint-disable-next-line no-await-in-loop -- between two pieces
      await new Promise((go) => setTimeout(go));
      since = performance.now();
    }
    const quality = together(byQuery);
    this.#known.set(settings, quality);
    return quality;
  }

  async #measuredBy(query: number, settings: Settings): Promise<MeasuredQuery> {
    const data = this.dataOf(query);
    const drafts = this.#drafts.get(query) ?? Drafts.open(data, this.askAbout?.(query));
    this.#drafts.set(query, drafts);
    const ranker = await (await drafts).of(settings.edits);
    const ranking = await ranker.rank(unsaved(ranker.data, settings));
    return measured(orderedBy(ranking, data.candidates.length), data);
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

function together(queries: readonly MeasuredQuery[]): QueriesQuality {
  const byQuery = queries.map(({ quality }) => quality);
  const means = MEASURE_NAMES.map((name) => [name, meanOf(byQuery.map((one) => one.get(name) ?? 0))] as const);
  return { byQuery, judged: queries.map(({ judged }) => judged), means: new Map(means) };
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
