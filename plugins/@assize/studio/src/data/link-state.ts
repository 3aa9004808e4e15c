import type { Settings } from '../page/settings/settings.js';

/** The settings in an address. Missing ones are those of the profile. */
export type SettingsInLink = Partial<Settings>;

/** The state in an address after `#`, besides the token of the server. */
export interface LinkState {
  /** The version of the file that the settings were made for. */
  readonly version?: string;
  readonly settings: SettingsInLink;
}

/** The part of an address that contains a state as JSON. */
export const hashOf = (json: string): string => new URLSearchParams({ state: json }).toString();

/** The part of an address that contains the state. */
export const linkState = (state: LinkState): string => hashOf(JSON.stringify(state));

/** The address of a studio with initial settings. */
export const withSettings = (url: string, settings: SettingsInLink): string =>
  Object.keys(settings).length === 0 ? url : `${url}&${linkState({ settings })}`;
