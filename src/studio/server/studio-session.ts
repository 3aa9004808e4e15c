import { readFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { loadPlugins } from '../../pipeline/node.js';
import { createPipeline, type Explanation, type Ranking } from '../../index.js';
import { isProfilePath } from '../../profile/index.js';
import { collectData, paramControls, queryDataOf } from '../data/collect-data.js';
import {
  type FilesState,
  isMap,
  type OtherRanking,
  type ParamControl,
  type ProfileDocument,
  type QueryData,
  type RemoteChange,
  type StudioData,
  switched,
} from '../data/studio-data.js';
import { type ChangedLine, changedLines } from '../save/changed-lines.js';
import type { DataEdit } from '../save/data-edit.js';
import { located } from '../save/located-edits.js';
import { NotSavedError, saveFile } from '../save/save-file.js';
import { spliceYaml } from '../save/splice-yaml.js';
import { OtherProfile, queriesOf, RankedProfile, type StudioQuery, type StudioSource } from './ranked-profile.js';
import { nextChange, SourceFiles } from './source-files.js';

/** A query that a page asks about, and that is not there. */
export class NoSuchQueryError extends Error {
  override readonly name = 'NoSuchQueryError';
}

type Collected = ReturnType<typeof collectData>;

/** Queries that are looked at: by a profile that may change on the disk, of candidates that do not. */
export class StudioSession {
  readonly queries: readonly StudioQuery[];
  /** What is ranked by: the version of the files of the profile, and of the files of all. */
  #version: string;
  #filesVersion: string;
  #problem: string | undefined;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly source: StudioSource,
    readonly file: string | undefined,
    private readonly files: SourceFiles,
    private readonly otherFiles: SourceFiles,
    private ranked: RankedProfile,
    private others: readonly OtherProfile[],
  ) {
    this.queries = queriesOf(source);
    this.#version = files.version;
    this.#filesVersion = this.#readVersion;
  }

  /** @throws AssizeError with every problem of the profile, or of another that it is compared with */
  static async open(source: StudioSource): Promise<StudioSession> {
    const file = isProfilePath(source.profile) ? resolve(source.profile) : undefined;
    const files = new SourceFiles(file);
    const ranked = await files.read(() => RankedProfile.open(source, file, files.noted));
    const otherFiles = new SourceFiles();
    const others = await otherFiles.read(() => OtherProfile.openAll(source, otherFiles.noted));
    const session = new StudioSession(source, file, files, otherFiles, ranked, others);
    await session.ranking(0);
    return session;
  }

  /** Of all files as they were read last. */
  get #readVersion(): string {
    return `${this.files.version}-${this.otherFiles.version}`;
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
        ranked.text !== undefined && { file: { name: basename(this.file), version: this.#version } }),
      ...((this.files.some || this.otherFiles.some) && { filesVersion: this.#filesVersion }),
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
  async change({ without, with: added, params }: RemoteChange, query: number): Promise<StudioData> {
    const ranked = await this.ranked.with(added, this.source);
    const ranking = await (await ranked.ranking(this.query(query))).whatIf({ without, params });
    const data = this.#collect(this.query(query), ranking, switched(ranked.document, without, false));
    return { ...data, controls: {}, candidates: [] };
  }

  /** A query by the profile in the file, and by the others. */
  async #dataOf(query: StudioQuery): Promise<QueryData & Collected> {
    const data = this.#collect(query, await this.ranked.ranking(query), this.ranked.document);
    const others: OtherRanking[] = [];
    // oxlint-disable-next-line no-await-in-loop -- at once they would only take each other's time and memory
    for (const other of this.others) others.push(await other.ranking(query));
    return { ...data, ...(others.length > 0 && { others }) };
  }

  #collect(query: StudioQuery, ranking: Ranking<object>, profile: ProfileDocument): Collected {
    const { candidates, context = {}, grades, missing = [], group } = query;
    const title = this.file === undefined ? this.source.profile : basename(this.file);
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
    const file = this.#ownFile();
    const text = await readFile(file, 'utf8').catch(() => {
      throw new NotSavedError(notThere(file));
    });
    return changedLines(text, spliceYaml(text, located(edits, text)));
  }

  /**
   * Writes edits into the file and ranks by it.
   *
   * @param version the version of the files that the edits are meant for
   * @throws NotSavedError if one of the files has changed since, or if the file cannot be written
   * @throws AssizeError if the edited profile would not load; then nothing is written
   */
  save(edits: readonly DataEdit[], version: string): Promise<FilesState> {
    const file = this.#ownFile();
    return this.#inTurn(async () => {
      const { version: current } = await this.#look();
      const { text } = this.ranked;
      const changed = (): NotSavedError =>
        new NotSavedError(
          `${basename(file)}, or a profile that it extends, has changed on the disk: reload and save again`,
        );
      if (current !== version || text === undefined) throw changed();
      const edited = spliceYaml(text, located(edits, text));
      await this.#checkLoads(file, edited);
      await saveFile(file, (onDisk) => {
        if (onDisk !== text) throw changed();
        return edited;
      });
      return this.#look();
    });
  }

  /** Waits until the files are of another version, a while at most. */
  async changed(version: string, gone: AbortSignal): Promise<FilesState> {
    const known = new AbortController();
    // From before they are looked at: what changes while they are looked at is heard, too.
    const folders = await Promise.all([this.files.folders(), this.otherFiles.folders()]);
    const change = nextChange(new Set(folders.flatMap((some) => [...some])), AbortSignal.any([gone, known.signal]));
    const state = await this.#inTurn(() => this.#look());
    if (state.filesVersion === version && !gone.aborted) {
      await change;
      return this.#inTurn(() => this.#look());
    }
    known.abort();
    return state;
  }

  /** @throws AssizeError with every problem of the file's text */
  async #checkLoads(file: string, yaml: string): Promise<void> {
    const { trust = 'full' } = this.source;
    await createPipeline({ yaml, name: basename(file) }, { folder: dirname(file), trust });
  }

  #ownFile(): string {
    if (this.file === undefined) throw new NotSavedError(`${this.source.profile} is a preset, and not a file of yours`);
    return this.file;
  }

  /** One after another: each sees all that was done before, and nothing that is half done. */
  #inTurn<R>(work: () => Promise<R>): Promise<R> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  /**
   * Ranks by the files as they are now, unless they are what was looked at last and nothing was wrong: what is wrong may be
   * mended in a file that is none of them.
   */
  async #look(): Promise<FilesState> {
    const haveChanged = (await this.files.haveChanged()) || (await this.otherFiles.haveChanged());
    if (this.#problem !== undefined || haveChanged) this.#problem = await this.#rankAgain();
    const { version } = this.files;
    return { version, filesVersion: this.#readVersion, ...(this.#problem !== undefined && { problem: this.#problem }) };
  }

  /** What is wrong with a file, or with another profile, where something is: then the rankings stay what they were. */
  async #rankAgain(): Promise<string | undefined> {
    try {
      const ranked = await this.files.read(() => this.#openAgain());
      const { noted } = this.otherFiles;
      const others = await this.otherFiles.read(() => OtherProfile.openAll(this.source, noted));
      await ranked.ranking(this.query(0));
      this.ranked = ranked;
      this.others = others;
      this.#version = this.files.version;
      this.#filesVersion = this.#readVersion;
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  async #openAgain(): Promise<RankedProfile> {
    const { file } = this;
    const ranked = await RankedProfile.open(this.source, file, this.files.noted);
    if (file === undefined) return ranked;
    if (ranked.text === undefined) throw new Error(notThere(file));
    if (ranked.text.trim() === '') throw new Error(`${basename(file)} is empty`); // or about to be written
    return ranked;
  }
}

const notThere = (file: string): string => `${basename(file)} is not there, or cannot be read`;

/** The numbers among the params of entries whose classes ship. */
async function entryControls(profile: ProfileDocument): Promise<StudioData['controls']> {
  const plugins = await loadPlugins(undefined);
  const controls: Record<string, readonly ParamControl[]> = {};
  for (const key of ['tier1_scorers', 'measures', 'tier2_scorers']) {
    const list: unknown = profile[key];
    for (const entry of Array.isArray(list) ? (list as unknown[]) : []) {
      if (!isMap(entry) || typeof entry['class'] !== 'string') continue;
      const [name, from] = entry['class'].split('/').toReversed();
      const unit = plugins.find((one) => (from ?? one.name) === one.name && one.units.has(name!))?.units.get(name!);
      const params: unknown = entry['params'] ?? {};
      const found = unit && isMap(params) ? paramControls(unit, params) : [];
      if (found.length > 0) controls[String(entry['id'])] = found;
    }
  }
  return controls;
}
