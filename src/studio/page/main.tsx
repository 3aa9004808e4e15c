import { render } from 'preact';
import { App } from './app.js';
import { settingsIn, tokenIn } from './link.js';
import { StudioServer } from './server-api.js';
import { StudioModel } from './studio-model.js';
import type { FileState, StudioData } from '../data/studio-data.js';

const TOKEN = 'assize-studio-token';

/** How long to wait before asking again, where the server did not answer. */
const RETRY_MS = 2000;

/** The token of the address, which is then taken out of it, or that of an earlier visit in this tab. */
function takeToken(): string | undefined {
  const token = tokenIn(location.hash);
  if (token === undefined) return sessionStorage.getItem(TOKEN) ?? undefined;
  sessionStorage.setItem(TOKEN, token);
  history.replaceState(null, '', location.pathname);
  return token;
}

async function start(root: HTMLElement): Promise<void> {
  const { settings } = settingsIn(location.hash);
  const embedded = document.getElementById('studio-data')?.textContent;
  const token = embedded ? undefined : takeToken();
  if (!embedded && token === undefined)
    throw new Error('open the address that the command line printed: it has a token');
  const server = token === undefined ? undefined : new StudioServer(token);
  const data = embedded ? (JSON.parse(embedded) as StudioData) : await server!.data();
  let model = await StudioModel.open(data, settings, server && ((change) => server.change(change)));
  root.textContent = '';
  let savedVersion: string | undefined;
  const saved = (version: string) => void (savedVersion = version);
  const draw = (fileProblem?: string) => render(<App {...{ model, server, fileProblem, saved }} />, root);
  draw();
  if (!server || !data.file) return;
  for (let { version } = data.file; ; ) {
    const state: FileState | undefined = await server.changed(version).catch(() => undefined);
    if (state === undefined) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    else if (state.problem !== undefined) {
      version = state.version;
      draw(state.problem);
    } else if (state.version !== version) {
      version = state.version;
      model = await model.reloaded(await server.data(), version === savedVersion ? 'saved' : 'reloaded');
      draw();
    }
  }
}

const root = document.getElementById('studio')!;
start(root).catch((error: unknown) => {
  root.textContent = error instanceof Error ? error.message : String(error);
  root.className = 'problem';
});
