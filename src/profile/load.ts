import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { AssizeError, type NamedPack, type Place, type Problem, type ServiceBinding } from '../contract/index.js';
import { failure } from '../document/failure.js';
import { readSource } from '../document/files.js';
import { isMap } from '../document/map.js';
import { locate } from '../document/places.js';
import { readDocument } from '../document/read-document.js';
import { describeValue } from '../expression/describe.js';
import { suggest } from '../expression/suggest.js';
import { loadPlugin, type PluginHost } from '../registry/load-plugin.js';
import type { Level } from '../registry/lookup.js';
import { amend, type Change } from './amend.js';
import { type At, checkIds, checkTree } from './check-raw.js';
import { effectiveProfile, type WrittenPlugin } from './effective.js';
import { liftScoring } from './lift-scoring.js';
import { mergeProfiles, Origins, type Raw } from './merge.js';
import { isPath, presetFile, presetNames, profileBeside } from './presets.js';
import type { Profile } from './profile.js';
import { resolveProfile } from './resolve.js';
import type { ProfileInput } from './schema.js';
import { pathText } from './schema-problems.js';
import { profileWarnings } from './warnings/index.js';

/** A file that cannot be read or parsed, a preset that there is not. */
const MISSING: ReadonlySet<Problem['code']> = new Set<Problem['code']>(['ASZ101', 'ASZ102', 'ASZ205']);

/** What is wrong with a profile whatever it extends: an unknown key, an expression that does not parse. */
const CERTAIN: ReadonlySet<Problem['code']> = new Set<Problem['code']>(['ASZ201', 'ASZ401']);

/** What loading needs besides the profile. */
export interface LoadHost extends PluginHost {
  /** The packs that every file sees after its own plugins. */
  readonly core: NamedPack;
  /** The units given in code, seen by the profile that was asked for like a plugin. */
  readonly units: NamedPack | undefined;
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
  amend(change: Change): LoadedProfile;
  /**
   * The whole of it as one file would say it, with the places that each value comes from: no `extends`, and all
   * plugins. It loads to the same profile.
   *
   * @param defaults whether what is not said is said too
   */
  effective(defaults: boolean): Raw;
}

/** A list of names as it was written; one name alone is reported as malformed, and obeyed so that it hides nothing. */
const namesOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : typeof value === 'string' ? [value] : [];

/** Loads one profile with everything that it extends, collecting every problem on the way. */
class Loader {
  readonly problems: Problem[] = [];
  readonly origins = new Origins();
  readonly services: ServiceBinding[] = [];
  /** The plugins of all files, in the order in which they were loaded. */
  readonly plugins: WrittenPlugin[] = [];

  constructor(readonly host: LoadHost) {}

  /** The data of a profile's file, laid over what it extends. */
  async file(file: string, trail: readonly string[], units?: NamedPack): Promise<Raw> {
    const below = relative(process.cwd(), file);
    const inside = below !== '' && !below.startsWith('..') && !isAbsolute(below);
    const source = await readSource(inside ? below : file);
    const { data, problems } = await readDocument(source);
    this.problems.push(...problems);
    if (problems.length > 0) return {};
    const start: Place = source.place(0);
    return this.data(data ?? {}, file, [...trail, file], units, start);
  }

  /** The same for data that is there already. `from` is the file, or a name in its folder, that paths start from. */
  async data(data: unknown, from: string, trail: readonly string[], units?: NamedPack, start?: Place): Promise<Raw> {
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
      (root: Raw): At =>
      (code, message, path, hint, which) =>
        this.problems.push({ code, message, place: locate(root, path, which), path: pathText(path), hint });
    if (!checkTree(data, atIn(data))) return {};
    const root = liftScoring(data, atIn(data));
    const at = atIn(root);
    checkIds(root, at);
    const levels = await this.levels(root, from, units, at);
    if (levels) this.origins.learn(root, levels);
    return this.extend(root, from, trail, at);
  }

  private async levels(
    data: Raw,
    from: string,
    units: NamedPack | undefined,
    at: At,
  ): Promise<readonly Level[] | undefined> {
    const plugins = namesOf(data['plugins']);
    const packs: NamedPack[] = units ? [units] : [];
    let complete = true;
    for (const [index, spec] of plugins.entries()) {
      if (typeof spec !== 'string' || spec === '') continue; // the schema reports it
      try {
        const pack = await loadPlugin(spec, from, this.host);
        packs.push(pack);
        this.plugins.push({ spec, pack, from, list: plugins, index });
        this.services.push(...pack.services);
      } catch (error) {
        if (!(error instanceof AssizeError)) throw error;
        complete = false;
        for (const { code, message, hint } of error.problems) at(code, message, ['plugins', index], hint);
      }
    }
    return complete ? [packs, [this.host.core]] : undefined;
  }

  private async extend(data: Raw, from: string, trail: readonly string[], at: At): Promise<Raw> {
    const bases = namesOf(data['extends']);
    let merged: Raw = {};
    for (const [index, ref] of bases.entries()) {
      if (typeof ref !== 'string' || ref === '') continue;
      const file = isPath(ref)
        ? resolve(dirname(from), ref)
        : await this.preset(ref, dirname(from), (message, hint) => at('ASZ205', message, ['extends', index], hint));
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
        merged = mergeProfiles(merged, await this.file(file, trail), this.origins);
      } catch (error) {
        if (!(error instanceof AssizeError)) throw error;
        for (const { code, message, hint } of error.problems) at(code, message, ['extends', index], hint);
      }
    }
    return mergeProfiles(merged, data, this.origins);
  }

  /** The file of a preset; undefined, with a report, when there is none of that name. */
  async preset(
    name: string,
    folder: string,
    report: (message: string, hint: string) => void,
  ): Promise<string | undefined> {
    const names = await presetNames();
    if (names.includes(name)) return presetFile(name);
    const near = profileBeside(name, folder) ?? suggest(name, names);
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
  const loader = new Loader(host);
  let raw: Raw = {};
  let name = 'profile';
  if (typeof ref === 'string') {
    const report = (message: string, hint: string) => loader.problems.push({ code: 'ASZ205', message, hint });
    const file = isPath(ref) ? resolve(host.folder, ref) : await loader.preset(ref, host.folder, report);
    if (file === undefined) throw failure(loader.problems);
    raw = await loader.file(file, [], host.units);
    name = ref.replace(/^.*[\\/]/, '').replace(/\.(ya?ml|json)$/, '');
  } else {
    raw = await loader.data(ref, join(host.folder, 'profile'), [], host.units);
  }
  if (loader.problems.some(({ code }) => MISSING.has(code))) {
    // What could not be loaded would only make a false problem of everything that it should have brought.
    const { problems } = resolveProfile(raw, loader.origins, name, host.folder);
    throw failure([...loader.problems, ...problems.filter(({ code }) => CERTAIN.has(code))]);
  }
  return loaded(raw, name, loader, loader.problems);
}

/** What merged data comes to, unless there are problems. */
function loaded(
  raw: Raw,
  name: string,
  loader: Pick<Loader, 'origins' | 'services' | 'plugins' | 'host'>,
  before: readonly Problem[],
): LoadedProfile {
  const { origins, services, plugins, host } = loader;
  const { profile, problems } = resolveProfile(raw, origins, name, host.folder);
  const all = [...before, ...problems];
  if (all.length > 0) throw failure(all);
  return {
    profile,
    warnings: profileWarnings(raw, profile),
    services,
    amend(change) {
      const amended = amend(raw, change, origins);
      if (amended.problems.length > 0) throw failure(amended.problems);
      return loaded(amended.root, profile.name, loader, []);
    },
    effective: (defaults) =>
      effectiveProfile({
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
