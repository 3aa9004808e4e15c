import { readJsonText } from '../data/read-json-text.js';
import { hashOf } from '../data/link-state.js';
import type { DraftAnswer, QueryData, StudioData } from '../data/studio-data.js';
import { exportedAnswers } from './model/exported-answers.js';
import { tokenIn } from './model/link.js';
import { StudioServer } from './model/server-api.js';
import { acceptDrops } from './parts/files.js';
import type { AskAbout } from './queries/several-queries.js';
import { type PageSource, StudioPage } from './studio-page.js';
import { messageOf } from './parts/message-of.js';

const TOKEN = 'assize-studio-token';

/** How long to wait before asking again, where the server did not answer, or refused. */
const RETRY_MS = 2000;

/** The token of the address, or that of an earlier visit in this tab. Without one, the browser may have a cookie with it. */
function takeToken(): string | undefined {
  const token = tokenIn(location.hash) ?? sessionStorage.getItem(TOKEN) ?? undefined;
  if (token !== undefined) sessionStorage.setItem(TOKEN, token);
  return token;
}

const embedded = (id: string): string | undefined => document.getElementById(id)?.textContent ?? undefined;

/** The fragment of the address with the settings; in an exported page, the settings of the export. */
function initialHash(): string {
  const state = embedded('studio-state');
  return state === undefined || location.hash.includes('state=') ? location.hash : `#${hashOf(state)}`;
}

/** Removes the settings from the address, so that a reloaded page shows the present settings. */
const clearAddress = (): void => history.replaceState(null, '', location.pathname);

/** The data in the page itself, where it was exported; else its server's. */
function sourceOf(): PageSource {
  const data = embedded('studio-data');
  if (data !== undefined) {
    return {
      server: undefined,
      askAbout: exportedAnswers(readJsonText(embedded('studio-answers') ?? '[]') as readonly DraftAnswer[]),
      data: async () => readJsonText(data) as StudioData,
      queries: async () => readJsonText(embedded('studio-queries') ?? '[]') as readonly QueryData[],
    };
  }
  const server = new StudioServer(takeToken());
  const askAbout: AskAbout = (query) => (edits) => server.draft(edits, query);
  return { server, askAbout, data: () => server.data(), queries: () => server.queries() };
}

async function start(root: HTMLElement): Promise<void> {
  const hash = initialHash();
  const source = sourceOf();
  if (tokenIn(hash) !== undefined) clearAddress();
  const opened = StudioPage.open(root, source, hash);
  // A link may be opened while the page loads.
  addEventListener('hashchange', () => void opened.then((page) => openAddress(page, source), ignored));
  const page = await opened;
  acceptDrops(page.openChanges);
  // Not before: without access the link stays, to be loaded again.
  if (source.server && location.hash === hash) clearAddress();
  if (source.server && page.version !== undefined) await follow(page, source.server, page.version);
}

/** The start reports it. */
const ignored = (): void => {};

/** An address that is opened in the tab of the page: of a server that was started again, or a link. */
function openAddress(page: StudioPage, { server }: PageSource): void {
  const { hash } = location;
  if (tokenIn(hash) !== undefined) return location.reload();
  if (server) clearAddress();
  void page.openLink(hash);
}

/** Shows the files of the profiles as they change. Whatever goes wrong is said, and tried again: the page stays. */
async function follow(page: StudioPage, server: StudioServer, version: string): Promise<never> {
  for (let looked = version; ; ) {
    try {
      const state = await server.changed(looked, page.gradesVersion);
      if (state.problem === undefined && state.filesVersion !== page.version) await page.reload();
      else page.say(state.problem);
      await page.followGrades(state.gradesVersion);
      looked = state.filesVersion;
    } catch (error) {
      page.say(messageOf(error));
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

const root = document.getElementById('studio')!;
start(root).catch((error: unknown) => {
  const title = document.createElement('h1');
  title.textContent = 'The studio cannot open';
  const texts = messageOf(error)
    .split('\n')
    .map((line) => Object.assign(document.createElement('p'), { textContent: line }));
  const main = document.createElement('main');
  main.className = 'problem cannot-open';
  main.append(title, ...texts);
  root.replaceChildren(main);
});
