import type { ServiceBinding } from '../contract/index.js';
import { type Problem, toAssizeError } from '../diagnostics/index.js';
import { buildEffectiveProfile } from './effective-profile.js';
import { entryTexts } from './entry-texts.js';
import { applyChange, type Change } from './merge/apply-change.js';
import { fillDefaults } from './merge/fill-defaults.js';
import type { Profile } from './profile.js';
import { resolveProfile } from './resolve/resolve-profile.js';
import type { AbsolutePath } from './resolve/resolver.js';
import type { ProfileSource } from './source/profile-source.js';
import type { RawMap } from './source/raw-profile.js';
import { hideForeignFiles } from './source/foreign-files.js';
import type { LoadHost, MergedProfile } from './source/load-host.js';
import { SourceLoader } from './source/source-loader.js';
import { profileWarnings } from './warnings/index.js';

/** A valid profile, the warnings about it, and the services of its plugins. */
export interface LoadedProfile {
  readonly profile: Profile;
  readonly warnings: readonly Problem[];
  readonly services: readonly ServiceBinding[];
  /**
   * The same profile with a change.
   *
   * @throws AssizeError with every problem of the change, and of the changed profile
   */
  applyChange(change: Change): LoadedProfile;
  /**
   * The profile with all that it extends as one file would write it, without `extends`, each value with its place. It
   * loads to the same profile.
   *
   * @param defaults whether to add the defaults of what is not written
   */
  effective(defaults: boolean): RawMap;
  /** The text of each entry, by id: entries with other texts differ in another version of the profile. */
  entryTexts(): ReadonlyMap<string, string>;
}

/** Problems after which a part of the data is missing: an unreadable file, bad syntax, an unknown preset. */
const MISSING_DATA_CODES: ReadonlySet<Problem['code']> = new Set<Problem['code']>([
  'ASZ101',
  'ASZ102',
  'ASZ110',
  'ASZ111',
  'ASZ205',
]);

/** Problems that hold whatever a profile extends: a refusal, an unknown key, an expression that does not parse. */
const CODES_INDEPENDENT_OF_BASES: ReadonlySet<Problem['code']> = new Set<Problem['code']>([
  'ASZ111',
  'ASZ112',
  'ASZ201',
  'ASZ401',
]);

/**
 * Loads a profile: source → merge → defaults → schema → resolve → warnings.
 *
 * @param ref a preset's name, a path, an object, or a text
 * @throws AssizeError with every problem of all its files
 */
export async function loadProfile(ref: ProfileSource, host: LoadHost): Promise<LoadedProfile> {
  const merged = await new SourceLoader(host).load(ref);
  return toLoadedProfile(merged, host);
}

/** Checks merged data against the schema, resolves and warns, or throws every problem. */
function toLoadedProfile(merged: MergedProfile, host: LoadHost): LoadedProfile {
  const { root, origins, services, plugins } = merged;
  const { files, base, trust, given } = host;
  const absolutePath: AbsolutePath = (path, file) =>
    files.resolve(file === undefined || merged.texts.has(file) ? base : file, path);
  const filled = fillDefaults(root, origins);
  const { profile, problems } = resolveProfile(filled, origins, merged.name, absolutePath, { trust, given });
  const incomplete = merged.problems.some(({ code }) => MISSING_DATA_CODES.has(code));
  // Every reference to what could not be loaded would look wrong, too.
  const reported = incomplete ? problems.filter(({ code }) => CODES_INDEPENDENT_OF_BASES.has(code)) : problems;
  const all = hideForeignFiles([...merged.problems, ...reported], merged.foreign);
  if (all.length > 0) throw toAssizeError(all);
  return {
    profile,
    warnings: profileWarnings(root, filled, profile),
    services,
    applyChange(change) {
      const changed = applyChange(root, change, origins);
      if (changed.problems.length > 0) throw toAssizeError(changed.problems);
      return toLoadedProfile({ ...merged, root: changed.root, name: profile.name, problems: [] }, host);
    },
    entryTexts: () => entryTexts(filled),
    effective(defaults) {
      const { core } = host;
      return buildEffectiveProfile({
        root: filled,
        name: profile.name,
        origins,
        plugins,
        core,
        files,
        base,
        defaults,
        trust,
      });
    },
  };
}
