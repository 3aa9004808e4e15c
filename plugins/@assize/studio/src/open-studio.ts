import { isHost } from './data/image-hosts.js';
import { exportedFile } from './server/exported-page.js';
import { newPageFile, writePage } from './server/page-assets.js';
import type { Studio } from './server/studio-server.js';
import { StudioSession } from './server/studio-session.js';
import type { StudioSource } from './server/ranked-profile.js';

/** The options of `exportStudio`. */
export interface ExportOptions {
  /**
   * The hosts that the page may load images from, such as `cdn.example.com`, `*.example.com` or `localhost:8080`; none by
   * default. Other images are shown as initials.
   */
  readonly images?: readonly string[] | undefined;
}

/** The options of `openStudio`. */
export interface StudioOptions extends ExportOptions {
  /** The port. Default: one that is always the same for a profile, or a free one if it is used. */
  readonly port?: number;
}

/** @throws TypeError if one of them is not a host: a policy of the browser must not receive other text */
function checkedHosts(hosts: readonly string[] = []): readonly string[] {
  const wrong = hosts.find((host) => !isHost(host));
  if (wrong === undefined) return hosts;
  throw new TypeError(`images: ${JSON.stringify(wrong)} is not a host: expected a name such as cdn.example.com`);
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
export async function openStudio(source: StudioSource, { port, images }: StudioOptions = {}): Promise<Studio> {
  const hosts = checkedHosts(images);
  const [{ serveStudio }, session] = await Promise.all([
    import('./server/studio-server.js'), // an export does not need it
    StudioSession.open(source),
  ]);
  return serveStudio(session, port, hosts);
}

/**
 * Writes the page as one file, `index.html`, with the candidates and the engine in it. It needs no server, and cannot save.
 *
 * @param folder created if it does not exist
 * @returns the path of the file
 * @throws AssizeError with every problem of the profile; (ASZ604) if the folder has an `index.html` that is not such a page;
 *   (ASZ654) if the file cannot be written
 */
export async function exportStudio(
  source: StudioSource,
  folder: string,
  { images }: ExportOptions = {},
): Promise<string> {
  const hosts = checkedHosts(images);
  const path = await newPageFile(folder);
  const session = await StudioSession.open(source);
  await writePage(path, await exportedFile(session, hosts));
  return path;
}
