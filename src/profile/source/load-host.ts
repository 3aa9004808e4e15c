import type { LoadedPlugin, ServiceBinding } from '../../contract/index.js';
import type { Problem } from '../../diagnostics/index.js';
import type { GivenServices } from '../../expression/index.js';
import type { ClassOrigins } from '../class-lookup.js';
import type { Trust } from '../trust.js';
import type { ProfileFiles } from './profile-files.js';
import type { RawMap } from './raw-profile.js';

/**
 * Loads one line of a profile's `plugins`: a plugin that ships, a file, or a package.
 *
 * @param spec the line
 * @param from the file, or a name in its folder, that a relative path and a package are looked up from
 * @param loaded the plugins that are in use with it
 * @throws AssizeError whose problems are then reported at that line
 */
export type PluginLoader = (spec: string, from: string, loaded: readonly LoadedPlugin[]) => Promise<LoadedPlugin>;

/** What loading needs besides the profile. */
export interface LoadHost {
  readonly loadPlugin: PluginLoader;
  /** The plugin that every file sees after its own. */
  readonly core: LoadedPlugin;
  /** The units given in code, which the loaded profile, but none that it extends, sees as one of its plugins. */
  readonly units: LoadedPlugin | undefined;
  readonly files: ProfileFiles;
  /** A name in the folder that the profile's own path, and the relative paths of an object or a text, start from. */
  readonly base: string;
  readonly trust: Trust;
  /** The services that are given beside the profile: what one that is not trusted may use. */
  readonly given: GivenServices;
}

/** A plugin that a file loads, and the line that names it. */
export interface PluginReference {
  readonly spec: string;
  readonly plugin: LoadedPlugin;
  /** The file that its path is relative to. */
  readonly from: string;
  readonly list: readonly unknown[];
  readonly index: number;
}

/** The data of a profile with all that it extends, and every problem up to here. */
export interface MergedProfile {
  readonly root: RawMap;
  /** The profile's name where it does not write one. */
  readonly name: string;
  readonly origins: ClassOrigins;
  readonly services: readonly ServiceBinding[];
  readonly plugins: readonly PluginReference[];
  /** The names of the texts that come from no file. */
  readonly texts: ReadonlySet<string>;
  /** The files that are no profiles, as problems name them. */
  readonly foreign: ReadonlySet<string>;
  readonly problems: readonly Problem[];
}
