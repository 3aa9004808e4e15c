import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { type LoadedPlugin, type ServiceBinding } from '../contract/index.js';
import { describeValue } from '../diagnostics/describe-value.js';
import { closestName } from '../diagnostics/did-you-mean.js';
import { locate } from '../diagnostics/places.js';
import { AssizeError, type Place, type Problem } from '../diagnostics/problem.js';
import { toAssizeError } from '../diagnostics/to-assize-error.js';
import { isMap } from '../expression/is-map.js';
import { readSourceFile } from '../input/read-source-file.js';
import { loadPlugin, type PluginHost } from '../registry/load-plugin.js';
import type { LookupLevel } from './class-lookup.js';
import { buildEffectiveProfile, type PluginReference } from './effective-profile.js';
import { applyChange, type Change } from './merge/apply-change.js';
import { ClassOrigins, mergeProfiles, type RawMap } from './merge/merge-profiles.js';
import { isProfilePath, presetFile, presetNames, siblingProfilePath } from './presets.js';
import type { Profile } from './profile.js';
import { resolveProfile } from './resolve/resolve-profile.js';
import type { ProfileInput } from './schema/profile-schema.js';
import { formatDataPath } from './schema/schema-problems.js';
import { checkTree, checkUniqueIds, type ProblemReporter } from './source/check-structure.js';
import { parseDocument } from './source/parse-document.js';
import { unnestScoring } from './source/unnest-scoring.js';
import { profileWarnings } from './warnings/index.js';

/** A file that cannot be read or parsed, a preset that there is not. */
const NOT_LOADED_CODES: ReadonlySet<Problem['code']> = new Set<Problem['code']>(['ASZ101', 'ASZ102', 'ASZ205']);

/** What is wrong with a profile whatever it extends: an unknown key, an expression that does not parse. */
const CODES_INDEPENDENT_OF_BASES: ReadonlySet<Problem['code']> = new Set<Problem['code']>(['ASZ201', 'ASZ401']);

/** What loading needs besides the profile. */
export interface LoadHost extends PluginHost {
  /** The packs that every file sees after its own plugins. */
  readonly core: LoadedPlugin;
  /** The units given in code, seen by the profile that was asked for like a plugin. */
  readonly units: LoadedPlugin | undefined;
  /** What relative paths of an object profile, and of the profile's own path, start from. */
  readonly folder: string;
}

/** A valid profile, what is surely a mistake in it all the same, and the services that its plugins bring. */
export interface LoadedProfile {
  readonly profile: Profile;
  readonly warnings: readonly Problem[];
  readonly services: readonly ServiceBinding[];
  /**
   * The same profile with a change.
   *
   * @throws AssizeError with every problem of the change, and of the profile that it makes
   */
  applyChange(change: Change): LoadedProfile;
  /**
   * The whole of it as one file would say it, with the places that each value comes from: no `extends`, and all
   * plugins. It loads to the same profile.
   *
   * @param defaults whether what is not said is said too
   */
  effective(defaults: boolean): RawMap;
}

/** A list of names as it was written; one name alone is reported as malformed, and obeyed so that it hides nothing. */
const toNameList = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : typeof value === 'string' ? [value] : [];

/** Loads one profile with everything that it extends, collecting every problem on the way. */
class ProfileLoader {
  readonly problems: Problem[] = [];
  readonly origins = new ClassOrigins();
  readonly services: ServiceBinding[] = [];
  /** The plugins of all files, in the order in which they were loaded. */
  readonly plugins: PluginReference[] = [];

  constructor(readonly host: LoadHost) {}

  /** The data of a profile's file, laid over what it extends. */
  async loadFile(file: string, trail: readonly string[], units?: LoadedPlugin): Promise<RawMap> {
    const below = relative(process.cwd(), file);
    const inside = below !== '' && !below.startsWith('..') && !isAbsolute(below);
    const source = await readSourceFile(inside ? below : file);
    const { data, problems } = await parseDocument(source);
    this.problems.push(...problems);
    if (problems.length > 0) return {};
    const start: Place = source.placeAt(0);
    return this.loadData(data ?? {}, file, [...trail, file], units, start);
  }

  /** The same for data that is there already. `from` is the file, or a name in its folder, that paths start from. */
  async loadData(
    data: unknown,
    from: string,
    trail: readonly string[],
    units?: LoadedPlugin,
    start?: Place,
  ): Promise<RawMap> {
    if (!isMap(data)) {
      const hint = 'a profile looks like: tier2_scorers: [{ id: stars, expr: candidate.stars }]';
      this.problems.push({
        code: 'ASZ202',
        message: `expected a map, found ${describeValue(data)}`,
        place: start,
        hint,
      });
      return {};
    }
    const atIn =
      (root: RawMap): ProblemReporter =>
      (code, message, path, hint, which) =>
        this.problems.push({ code, message, place: locate(root, path, which), path: formatDataPath(path), hint });
    if (!checkTree(data, atIn(data))) return {};
    const root = unnestScoring(data, atIn(data));
    const at = atIn(root);
    checkUniqueIds(root, at);
    const levels = await this.loadPlugins(root, from, units, at);
    if (levels) this.origins.record(root, levels);
    return this.mergeBases(root, from, trail, at);
  }

  private async loadPlugins(
    data: RawMap,
    from: string,
    units: LoadedPlugin | undefined,
    at: ProblemReporter,
  ): Promise<readonly LookupLevel[] | undefined> {
    const plugins = toNameList(data['plugins']);
    const packs: LoadedPlugin[] = units ? [units] : [];
    let complete = true;
    for (const [index, spec] of plugins.entries()) {
      if (typeof spec !== 'string' || spec === '') continue; // the schema reports it
      try {
        const plugin = await loadPlugin(spec, from, this.host, this.#loadedPlugins());
        packs.push(plugin);
        this.plugins.push({ spec, plugin, from, list: plugins, index });
        this.services.push(...plugin.services);
      } catch (error) {
        if (!(error instanceof AssizeError)) throw error;
        complete = false;
        for (const { code, message, hint } of error.problems) at(code, message, ['plugins', index], hint);
      }
    }
    return complete ? [packs, [this.host.core]] : undefined;
  }

  #loadedPlugins(): readonly LoadedPlugin[] {
    const { units } = this.host;
    return [...(units ? [units] : []), ...this.plugins.map(({ plugin }) => plugin)];
  }

  private async mergeBases(data: RawMap, from: string, trail: readonly string[], at: ProblemReporter): Promise<RawMap> {
    const bases = toNameList(data['extends']);
    let merged: RawMap = {};
    for (const [index, ref] of bases.entries()) {
      if (typeof ref !== 'string' || ref === '') continue;
      const file = isProfilePath(ref)
        ? resolve(dirname(from), ref)
        : await this.findPreset(ref, dirname(from), (message, hint) => at('ASZ205', message, ['extends', index], hint));
      if (file === undefined) continue;
      if (trail.at(-1) === file) {
        at('ASZ206', 'a profile cannot extend itself', ['extends', index], 'name what it builds on');
        continue;
      }
      if (trail.includes(file)) {
        at('ASZ206', `${ref} extends this profile, which extends it`, ['extends', index], [...trail, file].join(' → '));
        continue;
      }
      try {
        merged = mergeProfiles(merged, await this.loadFile(file, trail), this.origins);
      } catch (error) {
        if (!(error instanceof AssizeError)) throw error;
        for (const { code, message, hint } of error.problems) at(code, message, ['extends', index], hint);
      }
    }
    return mergeProfiles(merged, data, this.origins);
  }

  /** The file of a preset; undefined, with a report, when there is none of that name. */
  async findPreset(
    name: string,
    folder: string,
    report: (message: string, hint: string) => void,
  ): Promise<string | undefined> {
    const names = await presetNames();
    if (names.includes(name)) return presetFile(name);
    const near = siblingProfilePath(name, folder) ?? closestName(name, names);
    report(
      `there is no preset ${name || '""'}`,
      `${near ? `did you mean ${near}? ` : ''}presets: ${names.join(', ')}; a path has a slash or ends in .yaml`,
    );
    return undefined;
  }
}

/**
 * Loads a profile: a preset's name, a path, or an object.
 *
 * @throws AssizeError with every problem of all its files
 */
export async function loadProfile(ref: string | ProfileInput, host: LoadHost): Promise<LoadedProfile> {
  const loader = new ProfileLoader(host);
  let raw: RawMap = {};
  let name = 'profile';
  if (typeof ref === 'string') {
    const report = (message: string, hint: string) => loader.problems.push({ code: 'ASZ205', message, hint });
    const file = isProfilePath(ref) ? resolve(host.folder, ref) : await loader.findPreset(ref, host.folder, report);
    if (file === undefined) throw toAssizeError(loader.problems);
    raw = await loader.loadFile(file, [], host.units);
    name = ref.replace(/^.*[\\/]/, '').replace(/\.(ya?ml|json)$/, '');
  } else {
    raw = await loader.loadData(ref, join(host.folder, 'profile'), [], host.units);
  }
  if (loader.problems.some(({ code }) => NOT_LOADED_CODES.has(code))) {
    // What could not be loaded would only make a false problem of everything that it should have brought.
    const { problems } = resolveProfile(raw, loader.origins, name, host.folder);
    throw toAssizeError([...loader.problems, ...problems.filter(({ code }) => CODES_INDEPENDENT_OF_BASES.has(code))]);
  }
  return toLoadedProfile(raw, name, loader, loader.problems);
}

/** What merged data comes to, unless there are problems. */
function toLoadedProfile(
  raw: RawMap,
  name: string,
  loader: Pick<ProfileLoader, 'origins' | 'services' | 'plugins' | 'host'>,
  before: readonly Problem[],
): LoadedProfile {
  const { origins, services, plugins, host } = loader;
  const { profile, problems } = resolveProfile(raw, origins, name, host.folder);
  const all = [...before, ...problems];
  if (all.length > 0) throw toAssizeError(all);
  return {
    profile,
    warnings: profileWarnings(raw, profile),
    services,
    applyChange(change) {
      const amended = applyChange(raw, change, origins);
      if (amended.problems.length > 0) throw toAssizeError(amended.problems);
      return toLoadedProfile(amended.root, profile.name, loader, []);
    },
    effective: (defaults) =>
      buildEffectiveProfile({
        root: raw,
        name: profile.name,
        origins,
        plugins,
        core: host.core,
        folder: host.folder,
        defaults,
      }),
  };
}
