import { render } from 'preact';
import type { QueryData, StudioData } from '../data/studio-data.js';
import { App } from './app.js';
import type { StudioServer } from './server-api.js';
import type { Settings } from './settings.js';
import { type AskAbout, SeveralQueries } from './several-queries.js';
import { StudioModel } from './studio-model.js';

/** Where a page has its data from: its server, or itself. */
export interface PageSource {
  readonly server: StudioServer | undefined;
  data(): Promise<StudioData>;
  queries(): Promise<readonly QueryData[]>;
}

/** What is drawn into a document: one query at a time, by the profile as its file says it now. */
export class StudioPage {
  #queries: SeveralQueries | undefined;
  #shown = 0;
  #wanted = 0;
  #problem: string | undefined;
  /** The version that was saved from here. */
  #saved: string | undefined;

  private constructor(
    private readonly root: HTMLElement,
    private readonly source: PageSource,
    private model: StudioModel,
  ) {}

  /** @throws AssizeError where the profile does not rank */
  static async open(root: HTMLElement, source: PageSource, settings: Settings): Promise<StudioPage> {
    const data = await source.data();
    const ask = askAbout(source.server)?.(0);
    const page = new StudioPage(root, source, await StudioModel.open(data, settings, ask));
    root.textContent = '';
    page.#draw();
    await page.#loadQueries(data);
    return page;
  }

  /** The version of the file that is shown; undefined where there is none. */
  get version(): string | undefined {
    return this.model.data.file?.version;
  }

  /** Shows the file as it is now, of this version, with what is set and not saved. */
  async reload(version: string): Promise<void> {
    const data = await this.source.data();
    await this.#loadQueries(data);
    const reason = version === this.#saved ? 'saved' : 'reloaded';
    this.model = await this.model.reloaded(this.#queries?.dataOf(this.#shown) ?? data, reason);
    this.#problem = undefined;
    this.#draw();
  }

  /** Says what is wrong; the list stays. */
  say(problem: string | undefined): void {
    if (problem === this.#problem) return;
    this.#problem = problem;
    this.#draw();
  }

  async #loadQueries(data: StudioData): Promise<void> {
    if (!data.queries) return;
    const all = await this.source.queries();
    this.#queries = new SeveralQueries(data, all, askAbout(this.source.server));
    this.#draw();
  }

  readonly #remember = (version: string): void => void (this.#saved = version);

  readonly #show = async (query: number): Promise<void> => {
    const queries = this.#queries!;
    this.#wanted = query;
    const model = await this.model.about(queries.dataOf(query), queries.askAbout?.(query));
    if (this.#wanted !== query) return; // another was chosen meanwhile
    this.model = model;
    this.#shown = query;
    this.#draw();
  };

  #draw(): void {
    const { model } = this;
    const several = this.#queries && { queries: this.#queries, shown: this.#shown, show: this.#show };
    const { server } = this.source;
    render(
      <App key={this.#shown} {...{ model, server, several }} fileProblem={this.#problem} saved={this.#remember} />,
      this.root,
    );
  }
}

/** What the server is asked about each query. */
const askAbout = (server: StudioServer | undefined): AskAbout | undefined =>
  server && ((query) => (change) => server.change(change, query));
