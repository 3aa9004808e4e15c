import { exportedPage, newPageFile, writePage } from './server/page-assets.js';
import { serveStudio, type Studio } from './server/studio-server.js';
import { StudioSession } from './server/studio-session.js';
import type { StudioSource } from './server/ranked-profile.js';

/** How the studio is served. */
export interface StudioOptions {
  /** The port; a free one by default. */
  readonly port?: number;
}

/**
 * Serves the studio on this machine.
 *
 * ```ts
 * const { url, close } = await openStudio({ profile: './movies.yaml', candidates, context: {} });
 * ```
 *
 * @returns its address, which has a token: only who has it sees the candidates, and can save
 * @throws AssizeError with every problem of the profile, or of another that it is compared with
 */
export async function openStudio(source: StudioSource, { port }: StudioOptions = {}): Promise<Studio> {
  return serveStudio(await StudioSession.open(source), port);
}

/**
 * Writes the same page as one file, `index.html`, with the candidates and the engine in it: it needs no server, and cannot
 * save.
 *
 * @param folder is made where it is not there
 * @returns the path of the file
 * @throws AssizeError with every problem of the profile, (ASZ604) where another `index.html` is there that is no such page,
 *   and (ASZ654) where the file cannot be written
 */
export async function exportStudio(source: StudioSource, folder: string): Promise<string> {
  const path = await newPageFile(folder);
  const session = await StudioSession.open(source);
  const { file: _, ...data } = await session.data();
  await writePage(path, exportedPage(data, session.queries.length > 1 ? await session.allQueries() : undefined));
  return path;
}
