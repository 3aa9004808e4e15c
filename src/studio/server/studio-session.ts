import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { parse } from 'yaml';
import type { Explanation, Ranking } from '../../index.js';
import { isProfilePath } from '../../profile/source/references.js';
import { collectData } from '../data/collect-data.js';
import type { OtherRanking } from '../data/other-ranking.js';
import { isMap, withoutEntries } from '../data/profile-document.js';
import type { FileState, QueryData, RemoteChange, StudioData } from '../data/studio-data.js';
import { changedLines, type ChangedLine } from '../save/changed-lines.js';
import type { DataEdit } from '../save/data-edit.js';
import { saveFile } from '../save/save-file.js';
import { spliceYaml } from '../save/splice-yaml.js';
import { entryControls } from './entry-controls.js';
import { versionOf } from './file-version.js';
import { nextChange } from './next-change.js';
import { OtherProfile } from './other-profile.js';
import { RankedProfile } from './ranked-profile.js';
import { queriesOf, type StudioQuery, type StudioSource } from './studio-source.js';

/** A change that is not made, with its reason in words. */
export class NotSavedError extends Error {
  override readonly name = 'NotSavedError';
}

/** A query that a page asks about, and that is not there. */
export class NoSuchQueryError extends Error {
  override readonly name = 'NoSuchQueryError';
}

type Collected = ReturnType<typeof collectData>;

/** Queries that are looked at: by a profile that may change on the disk, of candidates that do not. */
export class StudioSession {
  readonly queries: readonly StudioQuery[];
  /** The last text of the file that was looked at; undefined where it was not there. */
  #seen: string | undefined;
  #problem: string | undefined;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly source: StudioSource,
    readonly file: string | undefined,
    private ranked: RankedProfile,
    private others: readonly OtherProfile[],
  ) {
    this.queries = queriesOf(source);
    this.#seen = ranked.text;
  }

  /** @throws AssizeError with every problem of the profile, or of another that it is compared with */
  static async open(source: StudioSource): Promise<StudioSession> {
    const file = isProfilePath(source.profile) ? resolve(source.profile) : undefined;
    const ranked = await RankedProfile.open(source, file);
    const session = new StudioSession(source, file, ranked, await OtherProfile.openAll(source));
    await session.ranking(0);
    return session;
  }

  /** The ranking of a query by the profile in the file. */
  ranking(query: number): Promise<Ranking<object>> {
    return this.ranked.ranking(this.query(query));
  }

  /** @throws NoSuchQueryError */
  query(number: number): StudioQuery {
    const query = this.queries[number];
    if (!query) throw new NoSuchQueryError(`there is no query ${number}: there are ${this.queries.length}`);
    return query;
  }

  /** What the page needs to show the first query. */
  async data(): Promise<StudioData> {
    const { ranked, queries } = this;
    return {
      ...(await this.#dataOf(queries[0]!)),
      controls: await entryControls(ranked.document),
      ...(queries.length > 1 && { queries: queries.map(({ id }) => id) }),
      ...(this.file !== undefined &&
        ranked.text !== undefined && { file: { name: basename(this.file), version: versionOf(ranked.text) } }),
    };
  }

  /** What it needs to show and to measure any of them. */
  async allQueries(): Promise<readonly QueryData[]> {
    const all: QueryData[] = [];
    for (const query of this.queries) {
      // oxlint-disable-next-line no-await-in-loop -- at once, each would only wait for the others
      all.push(queryDataOf(await this.#dataOf(query)));
    }
    return all;
  }

  /** What the page needs after a change that it cannot make itself, but for the candidates, which it has. */
  async change({ without, params }: RemoteChange, query: number): Promise<StudioData> {
    const ranking = await (await this.ranking(query)).whatIf({ without, params });
    const data = this.#collect(this.query(query), ranking, without);
    return { ...data, controls: {}, candidates: [] };
  }

  /** A query by the profile in the file, and by the others. */
  async #dataOf(query: StudioQuery): Promise<QueryData & Collected> {
    const data = this.#collect(query, await this.ranked.ranking(query));
    const others: OtherRanking[] = [];
    // oxlint-disable-next-line no-await-in-loop -- at once they would only take each other's time and memory
    for (const other of this.others) others.push(await other.ranking(query));
    return { ...data, ...(others.length > 0 && { others }) };
  }

  #collect(query: StudioQuery, ranking: Ranking<object>, without: readonly string[] = []): Collected {
    const { candidates, context = {}, grades, missing = [], group } = query;
    const title = this.file === undefined ? this.source.profile : basename(this.file);
    const profile = withoutEntries(this.ranked.document, without);
    const data = collectData({ title, profile, ranking, candidates, context });
    return {
      ...data,
      ...(grades && { grades: candidates.map((_, position) => grades[position] ?? null), missing }),
      ...(group !== undefined && { group }),
    };
  }

  /** Why one candidate of a query came out as it did by the profile in the file. */
  async explain(index: number, query: number): Promise<Explanation> {
    return (await this.ranking(query)).explain({ index });
  }

  /** The lines that edits would change. */
  async diff(edits: readonly DataEdit[]): Promise<readonly ChangedLine[]> {
    const text = await readFile(this.#ownFile(), 'utf8');
    return changedLines(text, spliceYaml(text, located(edits, text)));
  }

  /**
   * Writes edits into the file, and ranks by it.
   *
   * @param version that of the text that the edits are meant for
   * @throws NotSavedError where the file has changed since
   */
  async save(edits: readonly DataEdit[], version: string): Promise<FileState> {
    await saveFile(this.#ownFile(), (text) => {
      if (versionOf(text) === version) return spliceYaml(text, located(edits, text));
      throw new NotSavedError(
        `${basename(this.#ownFile())} has changed on the disk since: look at the new list, and save again`,
      );
    });
    return this.#reload();
  }

  /** Waits until the file is of another version, a while at most. */
  async changed(version: string, gone: AbortSignal): Promise<FileState> {
    const known = new AbortController();
    // From before it is looked at: what changes while it is looked at is heard, too.
    const change = nextChange(this.#ownFile(), AbortSignal.any([gone, known.signal]));
    const state = await this.#reload();
    if (state.version === version && !gone.aborted) {
      await change;
      return this.#reload();
    }
    known.abort();
    return state;
  }

  #ownFile(): string {
    if (this.file === undefined) throw new NotSavedError(`${this.source.profile} is a preset, and not a file of yours`);
    return this.file;
  }

  /**
   * Ranks by the file as it is now, unless it is what was looked at last and nothing was wrong: what is wrong may be mended
   * in another file. One after another, so that each sees all of it.
   */
  #reload(): Promise<FileState> {
    const state = this.#last.then(() => this.#look());
    this.#last = state.catch(() => {});
    return state;
  }

  async #look(): Promise<FileState> {
    const text = await readFile(this.#ownFile(), 'utf8').catch(() => undefined);
    if (text !== this.#seen || this.#problem !== undefined) {
      this.#seen = text;
      this.#problem = await this.#rankAgain();
    }
    return { version: versionOf(text ?? ''), ...(this.#problem !== undefined && { problem: this.#problem }) };
  }

  /** What is wrong with the file, or with another profile, where something is: then the rankings stay what they were. */
  async #rankAgain(): Promise<string | undefined> {
    if (this.#seen === undefined) return `${basename(this.#ownFile())} is not there, or cannot be read`;
    try {
      const ranked = await RankedProfile.open(this.source, this.file);
      const others = await OtherProfile.openAll(this.source);
      await ranked.ranking(this.query(0));
      this.ranked = ranked;
      this.others = others;
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}

/** The part of it that differs from query to query. */
const queryDataOf = ({ grades, missing, group, others, ...data }: QueryData): QueryData => ({
  scores: data.scores,
  refusals: data.refusals,
  signals: data.signals,
  curves: data.curves,
  context: data.context,
  candidates: data.candidates,
  ...(grades && { grades }),
  ...(missing && { missing }),
  ...(group !== undefined && { group }),
  ...(others && { others }),
});

/** A profile may have its keys under `scoring`: then edits go there. */
function located(edits: readonly DataEdit[], text: string): readonly DataEdit[] {
  const data: unknown = parse(text);
  const nested = isMap(data) && isMap(data['scoring']);
  return nested ? edits.map(({ path, value }) => ({ path: ['scoring', ...path], value })) : edits;
}
