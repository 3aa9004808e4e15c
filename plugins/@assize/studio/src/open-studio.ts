import { exportedPage, newPageFile, writePage } from './server/page-assets.js';
import type { Studio } from './server/studio-server.js';
import { StudioSession } from './server/studio-session.js';
import type { StudioSource } from './server/ranked-profile.js';

/** The options of `openStudio`. */
export interface StudioOptions {
  /** The port. Default: one that is always the same for a profile, or a free one if it is used. */
  readonly port?: number;
}

/**
 * Serves the studio on this machine.
 *
 * ```ts
 * const { url, close } = await openStudio({ profile: './movies.yaml', candidates, context: {} });
 * ```
 *
 * @returns its address, which contains the token for access to the candidates and for saving
 * @throws AssizeError with every problem of the profile or of a compared profile; (ASZ597) if it cannot listen
 */
export async function openStudio(source: StudioSource, { port }: StudioOptions = {}): Promise<Studio> {
  const [{ serveStudio }, session] = await Promise.all([
    import('./server/studio-server.js'), // an export does not need it
    StudioSession.open(source),
  ]);
  return serveStudio(session, port);
}

/**
 * Writes the page as one file, `index.html`, with the candidates and the engine in it. It needs no server, and cannot save.
 *
 * @param folder created if it does not exist
 * @returns the path of the file
 * @throws AssizeError with every problem of the profile; (ASZ604) if the folder has an `index.html` that is not such a page;
 *   (ASZ654) if the file cannot be written
 */
export async function exportStudio(source: StudioSource, folder: string): Promise<string> {
  const path = await newPageFile(folder);
  const session = await StudioSession.open(source);
  const { file: _, editing: __, key: ___, ...data } = await session.data();
  await writePage(path, exportedPage(data, session.queries.length > 1 ? await session.allQueries() : undefined));
  return path;
}
