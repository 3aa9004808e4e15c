import { render } from 'preact';
import type { QueryData, StudioData } from '../data/studio-data.js';
import { withGiven } from '../data/given-grades.js';
import { App, type PageNote } from './app.js';
import { Judging } from './judge/judging.js';
import { changesIn } from './model/changes-file.js';
import { type OpenedState, stateIn } from './model/link.js';
import { restore } from './model/remember.js';
import type { StudioServer } from './model/server-api.js';
import { StudioModel } from './model/studio-model.js';
import { type AskAbout, SeveralQueries } from './queries/several-queries.js';
import { changeTexts } from './changes/change-words.js';
import type { Save } from './changes/review-dialog.js';
import { counted } from './parts/in-words.js';
import type { Settings } from './settings/settings.js';
import { messageOf } from './parts/message-of.js';

/** Where a page has its data from: its server, or itself. */
export interface PageSource {
  readonly server: StudioServer | undefined;
  /** Asks the server about a query. */
  readonly askAbout: AskAbout | undefined;
  data(): Promise<StudioData>;
  queries(): Promise<readonly QueryData[]>;
}

/** What is drawn into a document: one query at a time, by the profile as its file says it now. */
export class StudioPage {
  #queries: SeveralQueries | undefined;
  #shown = 0;
  #wanted = 0;
  #last: Promise<void> = Promise.resolve();
  #problem: string | undefined;
  #note: PageNote | undefined;
  /** The grades that people give; undefined without a server. */
  #judging: Judging | undefined;
  /** The version that was saved from here last. */
  #saved: Promise<string | undefined> = Promise.resolve(undefined);

  #savedSettings: Settings | undefined;

  private constructor(
    private readonly root: HTMLElement,
    private readonly source: PageSource,
    private model: StudioModel,
  ) {}

  /**
   * @param hash what the address says is set
   * @throws AssizeError where the profile does not rank
   */
  static async open(root: HTMLElement, source: PageSource, hash: string): Promise<StudioPage> {
    const data = await source.data();
    const ask = source.askAbout?.(0);
    const judged = withGiven(data, data.judging?.given ?? [], 0);
    const page = new StudioPage(root, source, await StudioModel.open(judged, undefined, ask));
    const { judging } = data;
    if (source.server && judging) {
      page.#judging = new Judging({ ...data, judging }, source.server, (queries) => page.#regrade(queries));
    }
    await page.#setBy(hash);
    if (source.server) await page.#restore();
    root.textContent = '';
    page.#draw();
    page.#queries = await page.#queriesOf(data);
    page.#draw();
    return page;
  }

  async #restore(): Promise<void> {
    try {
      await restore(this.model);
    } catch (error) {
      const reason = messageOf(error);
      this.#note = { text: `the unsaved changes of your last visit do not fit this profile: ${reason}` };
    }
  }

  /** The version of the files that are shown; undefined where there is none. */
  get version(): string | undefined {
    return this.model.data.filesVersion;
  }

  get gradesVersion(): string | undefined {
    return this.#judging?.version;
  }

  /** Reads the grades again if their file has another version. */
  async followGrades(version: string | undefined): Promise<void> {
    await this.#judging?.follow(version);
  }

  #regrade(queries: readonly number[]): void {
    for (const query of queries) {
      const grades = this.#judging?.gradesOf(query);
      this.#queries?.regrade(query, grades);
      if (query === this.#shown) this.model.regrade(grades);
    }
    this.#draw();
  }

  /** Shows the files as they are now, with what is set and not saved. */
  reload(): Promise<void> {
    return this.#inTurn(async () => {
      const data = await this.source.data();
      if (data.filesVersion === this.version) {
        // Shown already: after a save, the server reports the change a second time.
        this.#problem = undefined;
        this.#draw();
        return;
      }
      const queries = await this.#queriesOf(data);
      const reason = await this.#reasonFor(data);
      this.model = await this.model.reloaded(
        queries?.dataOf(this.#shown) ?? this.#judged(data),
        reason,
        this.#savedSettings,
      );
      this.#queries = queries;
      this.#problem = undefined;
      if (reason === 'reloaded' && this.model.changed) {
        this.#note = {
          text: `${this.model.data.title} has changed on disk; your unsaved changes are kept`,
          kind: 'conflict',
        };
      }
      if (this.model.lost !== undefined) {
        this.#note = { text: `your unsaved changes do not fit the changed file: ${this.model.lost}` };
      }
      this.#draw();
    });
  }

  /** What has changed the profile's own file; undefined where nothing has. */
  async #reasonFor({ file }: StudioData): Promise<'saved' | 'reloaded' | undefined> {
    if (file?.version === this.model.data.file?.version) return undefined;
    return file?.version === (await this.#saved) ? 'saved' : 'reloaded';
  }

  /** Sets what a link says, as a step that can be undone. */
  openLink(hash: string): Promise<void> {
    return this.#inTurn(async () => {
      await this.#setBy(hash);
      this.#draw();
    });
  }

  /** Applies the changes in a file, as a step that can be undone. */
  readonly openChanges = (file: File): void =>
    void this.#inTurn(async () => {
      const read = async () => changesIn(await file.text(), file.name, this.model.saved);
      await this.#setTo(read, 'the changes were');
      this.#draw();
    });

  /** Applies the settings of an address, as far as the profile has them. */
  #setBy(hash: string): Promise<void> {
    return this.#setTo(async () => stateIn(hash), 'the link was');
  }

  /** Applies a state, as far as the profile has its entries. Reports an invalid state, and applies nothing then. */
  async #setTo(read: () => Promise<OpenedState | undefined>, source: string): Promise<void> {
    const { data } = this.model;
    try {
      const state = await read();
      if (!state) return;
      await this.model.setFull(state.settings);
      const isOfNow = !state.version || !data.file || state.version === data.file.version;
      this.#note = isOfNow ? undefined : { text: `${source} made for another version of ${data.title}` };
    } catch (error) {
      this.#note = { text: messageOf(error) };
    }
  }

  /** Says what is wrong; the list stays. */
  say(problem: string | undefined): void {
    if (problem === this.#problem) return;
    this.#problem = problem;
    this.#draw();
  }

  /** All queries, where there are several. */
  async #queriesOf(data: StudioData): Promise<SeveralQueries | undefined> {
    if (!data.queries) return undefined;
    const all = await this.source.queries();
    this.#judging?.readQueries(all);
    const judged = all.map((one, query) => ({ ...one, ...gradesIn(this.#judging?.gradesOf(query)) }));
    return new SeveralQueries(data, judged, this.source.askAbout);
  }

  /** The data of the only query with its grades as they are now. */
  #judged(data: StudioData): StudioData {
    return { ...data, ...gradesIn(this.#judging?.gradesOf(0)) };
  }

  /** One after another: a file that is read again while another query is chosen would undo that. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  /** Saves, shows the saved file and says so; that the file has changed may be heard before the answer is. */
  readonly #save: Save = async (edits, version) => {
    const count = changeTexts(this.model).length;
    this.#savedSettings = this.model.settings;
    const state = this.source.server!.save(edits, version);
    this.#saved = state.then(
      (saved) => saved.version,
      () => undefined,
    );
    await state;
    await this.reload().catch(() => {}); // the file is saved: the page follows it, and tries this again
    const { file, title } = this.model.data;
    this.#note = { text: `Saved ${counted(count, 'change')} to ${file?.name ?? title}`, kind: 'done' };
    this.#draw();
  };

  readonly #show = (query: number): Promise<void> => {
    this.#wanted = query;
    return this.#inTurn(async () => {
      if (this.#wanted !== query || !this.#queries) return; // another was chosen meanwhile
      this.model = await this.model.about(this.#queries.dataOf(query), this.#queries.askAbout?.(query));
      this.#shown = query;
      this.#note = undefined;
      this.#draw();
    });
  };

  #draw(): void {
    const { model } = this;
    const several = this.#queries && { queries: this.#queries, shown: this.#shown, show: this.#show };
    const { server } = this.source;
    render(
      <App
        key={this.#shown}
        {...{ model, server, several }}
        judging={this.#judging}
        fileProblem={this.#problem}
        note={this.#note}
        save={this.#save}
        openChanges={this.openChanges}
      />,
      this.root,
    );
  }
}

const gradesIn = (grades: QueryData['grades']): Pick<QueryData, 'grades'> => (grades ? { grades } : {});
