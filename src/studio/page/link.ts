import { linkState, type LinkState } from '../data/link-state.js';
import { NOTHING_SET, type Settings } from './settings.js';
import type { StudioModel } from './studio-model.js';

/** The address of the page with what is set, and the version of the file that it is of. */
export function linkTo(model: StudioModel): string {
  const state: LinkState = { settings: model.settings, ...(model.data.file && { version: model.data.file.version }) };
  return `${location.origin}${location.pathname}#${linkState(state)}`;
}

/** The settings in an address; none where it has none, or what is no settings. */
export function settingsIn(hash: string): LinkState & { readonly settings: Settings } {
  try {
    const state: unknown = JSON.parse(new URLSearchParams(hash.replace(/^#/, '')).get('state') ?? '{}');
    const found = (state as Partial<LinkState>).settings;
    return found ? { ...(state as LinkState), settings: { ...NOTHING_SET, ...found } } : { settings: NOTHING_SET };
  } catch {
    return { settings: NOTHING_SET };
  }
}

/** The token in an address. */
export const tokenIn = (hash: string): string | undefined =>
  new URLSearchParams(hash.replace(/^#/, '')).get('token') ?? undefined;
