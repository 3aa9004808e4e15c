import { createHash } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { createPipeline, type Explanation, type Ranking } from 'assize';
import { isProfilePath, loadPlugins, FolderWatcher, TrackedFiles, toError } from 'assize/internal';
import { collectData, pagePlugins, queryDataOf } from '../data/collect-data.js';
import type {
  ClassForm,
  FilesState,
  OtherRanking,
  ProfileDocument,
  QueryData,
  StudioData,
} from '../data/studio-data.js';
import type { ChangedLine } from '../save/changed-lines.js';
import type { FileEdit } from '../save/data-edit.js';
import { NotSavedError, saveFile } from '../save/save-file.js';
import type { Plugins } from './class-forms.js';
import { DraftProfiles } from './draft-profiles.js';
import { entryControls } from './editing-facts.js';
import { StudioJudgements } from './studio-judgements.js';
import { OtherProfile, queriesOf, RankedProfile, type StudioQuery, type StudioSource } from './ranked-profile.js';

/** The error for a query that does not exist. */
export class NoSuchQueryError extends Error {
  override readonly name = 'NoSuchQueryError';
}

type Collected = ReturnType<typeof collectData>;

/** The queries of a studio, ranked by a profile whose files may change, over fixed candidates. */
export class StudioSession {
  readonly queries: readonly StudioQuery[];
  /** The grades and choices that people make in the page. */
  readonly judgements: StudioJudgements;
  readonly #drafts: DraftProfiles;
  /** The versions of the profile's files and of all files that the rankings use. */
  #version: string;
  #filesVersion: string;
  #problem: string | undefined;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly source: StudioSource,
    readonly file: string | undefined,
    private readonly files: SourceFiles,
    private readonly otherFiles: SourceFiles,
    private readonly plugins: Plugins,
    private ranked: RankedProfile,
    private others: readonly OtherProfile[],
  ) {
    this.queries = queriesOf(source);
    const id = source.id ?? ranked.candidateReads[0]?.field ?? 'id';
    this.judgements = new StudioJudgements(this.queries, source, file, id);
    this.#drafts = new DraftProfiles(source, file, plugins);
    this.#version = files.version;
    this.#filesVersion = this.#readVersion;
  }

  /** @throws AssizeError with every problem of the profile or of a compared profile */
  static async open(source: StudioSource): Promise<StudioSession> {
    const file = isProfilePath(source.profile) ? resolve(source.profile) : undefined;
    const files = new SourceFiles(file);
    const ranked = await files.read(() => RankedProfile.open(source, file, files.tracked));
    const otherFiles = new SourceFiles();
    const others = await otherFiles.read(() => OtherProfile.openAll(source, otherFiles.tracked));
    const plugins = await loadPlugins(undefined);
    const session = new StudioSession(source, file, files, otherFiles, plugins, ranked, others);
    await session.ranking(0);
    return session;
  }

  /** Identifies the profile on this machine, without its path. */
  get key(): string {
    return sha256(this.file ?? this.source.profile).slice(0, 16);
  }

  /** The shipped plugins that the page needs to rank by the profile in the file. */
  get pagePlugins(): readonly string[] {
    return pagePlugins(this.ranked.document, this.#shipped);
  }

  get #shipped(): ReadonlySet<string> {
    return new Set(this.plugins.map(({ name }) => name));
  }

  /** The version of all files that were read last. */
  get #readVersion(): string {
    return `${this.files.version}-${this.otherFiles.version}`;
  }

  /** The ranking of a query by the profile in the file. */
  ranking(query: number): Promise<Ranking<object>> {
    return this.ranked.ranking(this.query(query));
  }

  /** The profile in the file, merged with the profiles that it extends. */
  get document(): ProfileDocument {
    return this.ranked.document;
  }

  /** @throws NoSuchQueryError */
  query(number: number): StudioQuery {
    const query = this.queries[number];
    if (!query)
      throw new NoSuchQueryError(`query ${number} does not exist: the number of queries is ${this.queries.length}`);
    return query;
  }

  /** The data of the page for the first query. */
  async data(): Promise<StudioData> {
    const { ranked, queries } = this;
    return {
      ...(await this.#dataOf(queries[0]!)),
      controls: entryControls(ranked.document, await this.#drafts.classesOf(ranked)),
      editing: await this.#drafts.editing(ranked, ranked),
      key: this.key,
      judging: await this.judgements.grades(),
      ...(queries.length > 1 && { queries: queries.map(({ id }) => id) }),
      ...(this.file !== undefined &&
        ranked.text !== undefined && { file: { name: basename(this.file), version: this.#version } }),
      ...((this.files.some || this.otherFiles.some) && { filesVersion: this.#filesVersion }),
    };
  }

  /** The data of all queries. */
  async allQueries(): Promise<readonly QueryData[]> {
    const all: QueryData[] = [];
    for (const query of this.queries) {
      // oxlint-disable-next-line no-await-in-loop -- in parallel, they would only wait for each other
      all.push(queryDataOf(await this.#dataOf(query)));
    }
    return all;
  }

  /**
   * The data of a query by the profile with edits, without the candidates, which the page has. Nothing is written.
   *
   * @throws as `DraftProfiles.open` does
   */
  async draft(edits: readonly FileEdit[], query: number): Promise<StudioData> {
    const { ranked } = this;
    const draft = await this.#drafts.open(ranked, edits);
    await this.#checkLabel(draft);
    const ranking = await this.#draftRanking(ranked, draft, query);
    return {
      ...this.#collect(this.query(query), ranking, draft.document),
      controls: entryControls(draft.document, await this.#drafts.classesOf(ranked)),
      editing: await this.#drafts.editing(ranked, draft),
      candidates: [],
    };
  }

  /** The classes that the profile can name. */
  classes(): Promise<readonly ClassForm[]> {
    return this.#drafts.classForms(this.ranked);
  }

  /** Ranks by a draft at the time of the ranking by the file, so that only the edits make a difference. */
  async #draftRanking(saved: RankedProfile, draft: RankedProfile, query: number): Promise<Ranking<object>> {
    const ranking = await saved.ranking(this.query(query));
    return draft === saved ? ranking : draft.rankingAt(this.query(query), ranking.now);
  }

  /** The data of a query, ranked by the profile and by the compared profiles. */
  async #dataOf(query: StudioQuery): Promise<QueryData & Collected> {
    const data = this.#collect(query, await this.ranked.ranking(query), this.ranked.document);
    const others: OtherRanking[] = [];
    // oxlint-disable-next-line no-await-in-loop -- in parallel, they would only compete for time and memory
    for (const other of this.others) others.push(await other.ranking(query));
    return { ...data, ...(others.length > 0 && { others }) };
  }

  #collect(query: StudioQuery, ranking: Ranking<object>, profile: ProfileDocument): Collected {
    const { candidates, context = {}, grades, missing = [], group } = query;
    const title = this.file === undefined ? this.source.profile : basename(this.file);
    const data = collectData({ title, shipped: this.#shipped, profile, ranking, candidates, context });
    return {
      ...data,
      ...(grades && { grades: candidates.map((_, position) => grades[position] ?? null), missing }),
      ...(group !== undefined && { group }),
    };
  }

  /** Explains the result of one candidate of a query by the profile with edits. */
  async explain(edits: readonly FileEdit[], index: number, query: number): Promise<Explanation> {
    const { ranked } = this;
    const ranking = await this.#draftRanking(ranked, await this.#drafts.open(ranked, edits), query);
    return ranking.explain({ index });
  }

  /** The text of the profile with edits, also if it is not valid. */
  async text(edits: readonly FileEdit[]): Promise<{ readonly text: string }> {
    return { text: await this.#drafts.edited(this.ranked, edits) };
  }

  /** The lines that edits would change. */
  async diff(edits: readonly FileEdit[]): Promise<readonly ChangedLine[]> {
    const file = this.#ownFile();
    const text = await readFile(file, 'utf8').catch(() => {
      throw new NotSavedError(notThere(file));
    });
    const { changedLines } = await import('../save/changed-lines.js'); // its package is not needed to start
    return changedLines(text, await this.#drafts.edited(this.ranked.withText(text), edits));
  }

  /**
   * Writes edits into the file and ranks again.
   *
   * @param version the version of the files that the edits are meant for
   * @throws NotSavedError if one of the files has changed since, or if the file cannot be written
   * @throws AssizeError if the edited profile would not load; then nothing is written
   */
  save(edits: readonly FileEdit[], version: string): Promise<FilesState> {
    const file = this.#ownFile();
    return this.#inTurn(async () => {
      const { version: current } = await this.#look();
      const { text } = this.ranked;
      const changed = (): NotSavedError =>
        new NotSavedError(
          `${basename(file)}, or a profile that it extends, has changed on disk: reload and save again`,
        );
      if (current !== version || text === undefined) throw changed();
      const edited = await this.#drafts.edited(this.ranked, edits);
      await this.#checkLoads(file, edited);
      await saveFile(file, (onDisk) => {
        if (onDisk !== text) throw changed();
        return edited;
      });
      return this.#look();
    });
  }

  /**
   * Waits until the files of the profiles or the grades have another version, up to the polling interval.
   *
   * @param grades the version of the grades; undefined before the first grade
   */
  async changed(version: string, gone: AbortSignal, grades?: string): Promise<FilesState> {
    const known = new AbortController();
    // Before the files are checked, so that changes during the check are noticed.
    const folders = [
      ...(await Promise.all([this.files.folders(), this.otherFiles.folders()])),
      this.judgements.folders,
    ];
    const change = nextChange(new Set(folders.flatMap((some) => [...some])), AbortSignal.any([gone, known.signal]));
    const state = await this.#inTurn(() => this.#look());
    if (state.filesVersion === version && state.gradesVersion === grades && !gone.aborted) {
      await change;
      return this.#inTurn(() => this.#look());
    }
    known.abort();
    return state;
  }

  /** @throws AssizeError with every problem of the file's text */
  async #checkLoads(file: string, yaml: string): Promise<void> {
    const { trust = 'full' } = this.source;
    const pipeline = await createPipeline({ yaml, name: basename(file) }, { folder: dirname(file), trust });
    await this.#checkLabel(pipeline);
  }

  /** @throws AssizeError (ASZ540) if a profile reads the grade by which it is measured */
  async #checkLabel(profile: Pick<RankedProfile, 'candidateReads'>): Promise<void> {
    const { label } = this.source;
    if (label === undefined) return;
    const { checkLabel } = await import('@assize/evaluate'); // most studios have no label
    checkLabel({ [this.source.profile]: profile }, label);
  }

  #ownFile(): string {
    if (this.file === undefined)
      throw new NotSavedError(
        `${this.source.profile} is a preset, which cannot be changed: save your settings in a profile that extends it`,
      );
    return this.file;
  }

  /** Runs work sequentially, so that it sees only complete results of earlier work. */
  #inTurn<R>(work: () => Promise<R>): Promise<R> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  /**
   * Ranks by the current files, unless they have not changed since the last check without problems. After a problem it
   * always ranks again, because the fix may be in a file that is not tracked.
   */
  async #look(): Promise<FilesState> {
    const haveChanged = (await this.files.haveChanged()) || (await this.otherFiles.haveChanged());
    if (this.#problem !== undefined || haveChanged) this.#problem = await this.#rankAgain();
    const { version } = this.files;
    const { version: gradesVersion } = await this.judgements.grades();
    return {
      version,
      filesVersion: this.#readVersion,
      ...(gradesVersion !== undefined && { gradesVersion }),
      ...(this.#problem !== undefined && { problem: this.#problem }),
    };
  }

  /** Returns the problem of a file or of a compared profile, if any. The rankings then stay unchanged. */
  async #rankAgain(): Promise<string | undefined> {
    try {
      const ranked = await this.files.read(() => this.#openAgain());
      const { tracked } = this.otherFiles;
      const others = await this.otherFiles.read(() => OtherProfile.openAll(this.source, tracked));
      await ranked.ranking(this.query(0));
      this.ranked = ranked;
      this.others = others;
      this.#version = this.files.version;
      this.#filesVersion = this.#readVersion;
      return undefined;
    } catch (error) {
      return toError(error).message;
    }
  }

  async #openAgain(): Promise<RankedProfile> {
    const { file } = this;
    const ranked = await RankedProfile.open(this.source, file, this.files.tracked);
    await this.#checkLabel(ranked);
    if (file === undefined) return ranked;
    if (ranked.text === undefined) throw new Error(notThere(file));
    if (ranked.text.trim() === '') throw new Error(`${basename(file)} is empty`); // an editor may be about to write it
    return ranked;
  }
}

const notThere = (file: string): string => `${basename(file)} does not exist, or cannot be read`;

/**
 * The files of profiles: their own, those that they extend, and those that their params name. A change of any of them may
 * change the ranking. Memories, which runs change, and plugins, which a process loads once, are not included.
 */
class SourceFiles {
  /** Creates the pipelines of the profiles, and records their files, including unreadable ones. */
  readonly tracked: TrackedFiles;
  #version = '';

  /** @param file the profile's own file; undefined for a preset */
  constructor(file?: string) {
    this.tracked = new TrackedFiles(file === undefined ? [] : [file]);
  }

  /** Whether there are any files. */
  get some(): boolean {
    return this.tracked.paths.length > 0;
  }

  /** A short digest of the files that were read last. */
  get version(): string {
    return this.#version;
  }

  /** Whether a file has changed since it was read. */
  async haveChanged(): Promise<boolean> {
    return (await this.tracked.changed()).length > 0;
  }

  /** Runs work that reads the files, and repeats it if a file changed in between, so that versions are never mixed. */
  async read<R>(work: () => Promise<R>): Promise<R> {
    const { outcome } = await this.tracked.read(async () => {
      try {
        return await work();
      } finally {
        this.#version = await digestOf(this.tracked.paths);
      }
    });
    if (outcome.status === 'fulfilled') return outcome.value;
    throw outcome.reason;
  }

  /** The folders of the files and of the targets of links. */
  async folders(): Promise<ReadonlySet<string>> {
    const files = this.tracked.paths;
    const real = await Promise.all(files.map((file) => realpath(file).catch(() => file)));
    return new Set([...files, ...real].map((file) => dirname(file)));
  }
}

/** A digest of the contents of files, independent of their paths. Unreadable files are included. */
async function digestOf(files: readonly string[]): Promise<string> {
  const digests: string[] = [];
  for (const file of files) {
    // oxlint-disable-next-line no-await-in-loop -- one of them in memory
    const content = await readFile(file).catch(() => undefined);
    digests.push(content === undefined ? 'none' : sha256(content));
  }
  return sha256(digests.toSorted().join()).slice(0, 16);
}

const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** The polling interval for changes that are not reported, such as those on a network drive. */
const WAIT_MS = 5000;
/** Milliseconds without changes before reading, because editors write files in several steps. */
const QUIET_MS = 50;

/** Waits until something changes in folders, up to the polling interval. Folders that cannot be watched are skipped. */
function nextChange(folders: ReadonlySet<string>, gone: AbortSignal): Promise<void> {
  return new Promise((done) => {
    let timer: NodeJS.Timeout;
    const watcher = new FolderWatcher(() => wait(QUIET_MS));
    const end = (): void => {
      clearTimeout(timer);
      watcher.close();
      gone.removeEventListener('abort', end);
      done();
    };
    const wait = (time: number): void => {
      clearTimeout(timer);
      timer = setTimeout(end, time);
    };
    wait(WAIT_MS);
    watcher.follow(folders);
    gone.addEventListener('abort', end);
    if (gone.aborted) end();
  });
}
