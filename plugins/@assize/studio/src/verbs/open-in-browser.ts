import type { Io } from 'assize/verbs';
import { toError } from 'assize/internal';
import { type SettingsInLink, withSettings } from '../data/link-state.js';
import { openStudio } from '../open-studio.js';
import type { StudioSource } from '../server/ranked-profile.js';

interface ServeOptions {
  readonly open?: true | undefined;
  readonly port?: number | undefined;
  /** The hosts that the page may load images from. */
  readonly images?: readonly string[] | undefined;
  /** Initial settings that differ from the profile. */
  readonly settings?: SettingsInLink;
}

/** Serves the page of a studio until the process ends, and writes its address. */
export async function serveInStudio(
  source: StudioSource,
  { port = 0, open, images, settings = {} }: ServeOptions,
  io: Io,
): Promise<void> {
  const { url } = await openStudio(source, { port, images });
  const address = withSettings(url, settings);
  io.out.write(`${address}\n`);
  if (open) await openBrowser(address, io);
}

/** Whether a browser can be displayed. Linux needs a display, or Windows as its host. */
export const hasBrowser = (platform: NodeJS.Platform, env: Io['env']): boolean =>
  !env['CI'] &&
  (platform !== 'linux' || ['DISPLAY', 'WAYLAND_DISPLAY', 'WSL_DISTRO_NAME'].some((name) => Boolean(env[name])));

/** Opens an address in a browser, if the output is a terminal and a browser is available. Otherwise does nothing. */
export async function openBrowser(address: string, { out, err, env }: Io): Promise<void> {
  if (!out.terminal || !hasBrowser(process.platform, env)) return;
  try {
    const { default: open } = await import('open');
    await open(address);
  } catch (error) {
    err.write(`${toError(error).message}\n`); // the address is printed anyway
  }
}
