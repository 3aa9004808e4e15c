import type { Settings } from '../page/settings/settings.js';

/** What of settings an address may say: what it does not is as the profile says. */
export type SettingsInLink = Partial<Settings>;

/** What an address says behind `#`, beside the token of its server. */
export interface LinkState {
  /** Of the file that the settings were made for. */
  readonly version?: string;
  readonly settings: SettingsInLink;
}

/** The part of an address that says what is set. */
export const linkState = (state: LinkState): string => new URLSearchParams({ state: JSON.stringify(state) }).toString();

/** An address of a studio, with what is set from the beginning. */
export const withSettings = (url: string, settings: SettingsInLink): string =>
  Object.keys(settings).length === 0 ? url : `${url}&${linkState({ settings })}`;
