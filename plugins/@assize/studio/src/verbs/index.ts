/**
 * The command that this package adds to `assize`, and what the option `--open` of other commands calls.
 *
 * @module
 */

import type { Io, Verb } from 'assize/verbs';
import type { SettingsInLink } from '../data/link-state.js';
import type { StudioSource } from '../server/ranked-profile.js';
import { studio } from './studio.js';

export const verbs: readonly Verb[] = [studio];

/** Shows a view in the studio, in a browser if one is available, until the process ends. */
export async function openStudio(
  { settings = {}, ...source }: StudioSource & { readonly settings?: SettingsInLink },
  io: Io,
): Promise<void> {
  const { serveInStudio } = await import('./open-in-browser.js');
  await serveInStudio(source, { open: true, settings }, io);
}
