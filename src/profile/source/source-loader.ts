import {
  toAssizeError,
  SourceFile,
  describeValue,
  isObject,
  type Problem,
  closestName,
  type DataPath,
  locate,
  AssizeError,
  type Place,
} from '../../base/index.js';
import type { ParsedDocument } from '../../data/index.js';
import { type ProfileInput, profileSchema } from '../schema/profile-schema.js';
import type { LoadedPlugin, ServiceBinding } from '../../sdk/index.js';
import { type GivenServices, isMap } from '../../expression/index.js';
import { ClassOrigins, type LookupLevel } from '../class-lookup.js';
import { mergeProfiles } from './merge-profiles.js';
import { presetNames, presetSource } from '../presets.js';
import { MEANT } from '../schema/schema-problems.js';
import { PROFILE_LIMITS, type ProfileLimits, type Trust } from '../trust.js';
import {
  checkLengths,
  checkTree,
  checkUniqueIds,
  formatDataPath,
  type ProblemReporter,
  type RawMap,
  SCORING_KEY,
  unnestScoring,
} from './raw-profile.js';

/**
 * A profile as YAML or JSON text, for example from a database or a form. Relative paths in it are resolved like those of
 * an object.
 */
export interface ProfileText {
  readonly yaml: string;
  /**
   * The file name in problems: `tenants/7.yaml`. It is also the profile's name if the text has no `name`. Default:
   * `profile`.
   */
  readonly name?: string;
}

/** A profile: the name of a preset, a path (with a slash, or ending in .yaml, .yml or .json), an object, or a text. */
export type ProfileSource = string | ProfileInput | ProfileText;

/** Whether a profile is given as text. Profiles as objects cannot have a key `yaml`. */
const isProfileText = (source: ProfileSource): source is ProfileText =>
  isObject(source) && Object.hasOwn(source, 'yaml');

/** Checks the types and keys of a profile that is given as text. */
function profileTextProblems(given: ProfileText): readonly Problem[] {
  const { yaml, name, ...others }: Readonly<Record<keyof ProfileText, unknown>> = { name: undefined, ...given };
  const message = (key: string, value: unknown): string =>
    `the ${key} of the profile is ${describeValue(value)}; expected a text`;
  const problems: Problem[] = [];
  if (typeof yaml !== 'string') problems.push({ code: 'ASZ533', message: message('yaml', yaml) });
  if (name !== undefined && typeof name !== 'string') problems.push({ code: 'ASZ533', message: message('name', name) });
  for (const key of Object.keys(others)) {
    const hint = 'keys: yaml, name; keys of the profile belong in its text';
    problems.push({ code: 'ASZ533', message: `unknown key ${key} of a profile given as text`, hint });
  }
  return problems;
}

/**
 * The source of a profile that is given as text.
 *
 * @throws AssizeError (ASZ533) if its keys or their types are wrong
 */
function givenText(given: ProfileText): SourceFile {
  const problems = profileTextProblems(given);
  if (problems.length > 0) throw toAssizeError(problems);
  return new SourceFile(given.name ?? 'profile', given.yaml);
}

/** The name of a profile from its file name: without the folder and the extension. */
const profileNameOf = (file: string): string =>
  file.replace(/^.*[\\/]/, '').replace(/\.(ya?ml|json)$/, '') || 'profile';

/** A parsed text and its source. */
interface ProfileDocument extends ParsedDocument {
  readonly source: SourceFile;
}

/**
 * Access to the files that a profile may name. The entry point supplies it, because browsers have no files. Paths are
 * absolute or relative to the working directory.
 */
export interface ProfileFiles {
  /** Makes a path absolute that is relative to the folder of `file`. */
  resolve(file: string, path: string): string;
  /** The path relative to the folder of `file`, as that file would write it. */
  relative(file: string, path: string): string;
  /** Reads and parses a profile. */
  read(file: string): Promise<ProfileDocument>;
  /** The path of the profile in the folder of `file` that `name` probably means: it lacks only a slash or an extension. */
  sibling(file: string, name: string): string | undefined;
}

/** Whether a reference to a profile is a path: it has a slash, consists of dots, or has a profile's extension. */
export const isProfilePath = (ref: string): boolean => /[\\/]|^\.+$|\.(ya?ml|json)$/.test(ref);

/** An absolute path of any operating system: a profile may be written on one and read on another. */
const FROM_ROOT = /^(?:[\\/]|[A-Za-z]:[\\/])/;

/** Whether a line of `plugins` names a file instead of a package. */
export const isFileSpec = (spec: string): boolean =>
  /^\.{1,2}[\\/]/.test(spec) || FROM_ROOT.test(spec) || /\.[cm]?[jt]s$/.test(spec);

/**
 * Loads one line of a profile's `plugins`: a plugin that ships, a file, or a package.
 *
 * @param spec the line
 * @param from the file, or a name in its folder, from which relative paths and packages are resolved
 * @param loaded the plugins that are already in use
 * @throws AssizeError whose problems are then reported at that line
 */
export type PluginLoader = (spec: string, from: string, loaded: readonly LoadedPlugin[]) => Promise<LoadedPlugin>;

/** The environment that loads a profile. */
export interface LoadEnvironment {
  readonly loadPlugin: PluginLoader;
  /** The plugin that every file sees after its own. */
  readonly core: LoadedPlugin;
  /** The units given in code. The loaded profile sees them as a plugin; profiles that it extends do not. */
  readonly units: LoadedPlugin | undefined;
  readonly files: ProfileFiles;
  /** A file name. The profile's path, and relative paths in an object or a text, start from its folder. */
  readonly base: string;
  readonly trust: Trust;
  /** The services that the caller gives. An untrusted profile may use no others. */
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

/** The data of a profile merged with everything it extends, and the problems so far. */
export interface MergedProfile {
  readonly root: RawMap;
  /** The name if the profile has none. */
  readonly name: string;
  readonly origins: ClassOrigins;
  readonly services: readonly ServiceBinding[];
  readonly plugins: readonly PluginReference[];
  /** The names of texts that are not files. */
  readonly texts: ReadonlySet<string>;
  /** The names of files that are not profiles, as shown in problems. */
  readonly foreign: ReadonlySet<string>;
  readonly problems: readonly Problem[];
}

/** A list of names. A single name is malformed, but is read as well to find further problems. */
const toNameList = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : typeof value === 'string' ? [value] : [];

/** Reads and merges one profile with everything that it extends, collecting every problem on the way. */
export class SourceLoader {
  readonly #problems: Problem[] = [];
  readonly #origins = new ClassOrigins();
  readonly #services: ServiceBinding[] = [];
  /** The plugins of all files, in loading order. */
  readonly #plugins: PluginReference[] = [];
  /** The names of texts that are not files. */
  readonly #texts = new Set<string>();
  readonly #foreign = new Set<string>();
  readonly #limits: ProfileLimits;

  constructor(private readonly environment: LoadEnvironment) {
    this.#limits = PROFILE_LIMITS[environment.trust];
  }

  /** @throws AssizeError when the profile itself is not found or cannot be read */
  async load(ref: ProfileSource): Promise<MergedProfile> {
    const root = await this.#loadRoot(ref);
    const name =
      typeof ref === 'string' ? profileNameOf(ref) : isProfileText(ref) ? profileNameOf(ref.name ?? '') : 'profile';
    return this.#merged(root, name);
  }

  /** Merges data that is parsed already, such as the parts of a text with syntax errors that do parse. */
  async loadParsed(data: unknown, source: SourceFile): Promise<MergedProfile> {
    const { base, units } = this.environment;
    this.#texts.add(source.name);
    return this.#merged(await this.#loadData(data, base, [source.name], units), profileNameOf(source.name));
  }

  #merged(root: RawMap, name: string): MergedProfile {
    const [origins, services, plugins, texts] = [this.#origins, this.#services, this.#plugins, this.#texts];
    return { root, name, origins, services, plugins, texts, foreign: this.#foreign, problems: this.#problems };
  }

  async #loadRoot(ref: ProfileSource): Promise<RawMap> {
    const { base, units, files } = this.environment;
    if (typeof ref !== 'string') {
      return isProfileText(ref) ? this.#loadText(givenText(ref), [], units) : this.#loadData(ref, base, [], units);
    }
    if (isProfilePath(ref)) return this.#loadFile(files.resolve(base, ref), [], units);
    const report = (message: string, hint: string) => this.#problems.push({ code: 'ASZ205', message, hint });
    const preset = await this.#findPreset(ref, base, report);
    if (preset === undefined) throw toAssizeError(this.#problems);
    return this.#loadText(preset, [], units);
  }

  /** Loads a profile from a file, and merges it over the profiles that it extends. */
  async #loadFile(file: string, trail: readonly string[], units?: LoadedPlugin): Promise<RawMap> {
    const document = await this.environment.files.read(file);
    if (!looksLikeProfile(document)) this.#foreign.add(document.source.name);
    return this.#loadDocument(document, file, [...trail, file], units);
  }

  /** Loads a profile from a text that is not a file, such as a preset. */
  async #loadText(source: SourceFile, trail: readonly string[], units?: LoadedPlugin): Promise<RawMap> {
    this.#texts.add(source.name);
    const tooLong = this.#tooLong(source);
    if (tooLong) return this.#fail(tooLong);
    const { parseYaml } = await import('./parse-yaml.js');
    return this.#loadDocument(
      { source, ...parseYaml(source, { values: this.#limits.values }) },
      this.environment.base,
      [...trail, source.name],
      units,
    );
  }

  async #loadDocument(
    { source, data, problems }: ProfileDocument,
    from: string,
    trail: readonly string[],
    units: LoadedPlugin | undefined,
  ): Promise<RawMap> {
    const tooLong = this.#tooLong(source);
    if (tooLong) return this.#fail(tooLong);
    if (problems.length > 0) return this.#fail(...problems);
    return this.#loadData(data ?? {}, from, trail, units, source.placeAt(0));
  }

  #tooLong(source: SourceFile): Problem | undefined {
    const [{ characters }, { length }] = [this.#limits, source.text];
    if (length <= characters) return undefined;
    const message = `expected at most ${characters} characters, found ${length}`;
    return { code: 'ASZ112', message, place: source.placeAt(0), hint: 'data goes into the candidates or the context' };
  }

  #fail(...problems: readonly Problem[]): RawMap {
    for (const problem of problems) this.#problems.push(problem);
    return {};
  }

  /** Loads a profile from data in memory. Relative paths start from the folder of `from`. */
  async #loadData(
    data: unknown,
    from: string,
    trail: readonly string[],
    units?: LoadedPlugin,
    start?: Place,
  ): Promise<RawMap> {
    if (!isMap(data)) {
      const message = `expected a map, found ${describeValue(data)}`;
      const hint = 'a profile looks like: tier2_scorers: [{ id: stars, expr: candidate.stars }]';
      this.#problems.push({ code: 'ASZ202', message, place: start, hint });
      return {};
    }
    const reporterFor =
      (root: RawMap): ProblemReporter =>
      (code, message, path, hint, at) =>
        this.#problems.push({ code, message, place: locate(root, path, at), path: formatDataPath(path), hint });
    if (!checkTree(data, this.#limits.values, reporterFor(data))) return {};
    const root = unnestScoring(data, reporterFor(data));
    const report = reporterFor(root);
    if (!checkLengths(root, this.#limits, report)) return {};
    checkUniqueIds(root, report);
    const levels = await this.#loadPlugins(root, from, units, report);
    if (levels) this.#origins.record(root, levels);
    return this.#mergeBases(root, from, trail, report);
  }

  /** Loads the plugins of a file. Returns the lookup levels of its classes; undefined if a plugin could not be loaded. */
  async #loadPlugins(
    data: RawMap,
    from: string,
    units: LoadedPlugin | undefined,
    report: ProblemReporter,
  ): Promise<readonly LookupLevel[] | undefined> {
    const list = toNameList(data['plugins']);
    const own: LoadedPlugin[] = units ? [units] : [];
    let complete = true;
    for (const [index, spec] of list.entries()) {
      if (typeof spec !== 'string' || spec === '') continue; // the schema reports it
      try {
        const plugin = await this.environment.loadPlugin(spec, from, this.#loadedPlugins());
        own.push(plugin);
        this.#plugins.push({ spec, plugin, from, list, index });
        this.#services.push(...plugin.services);
      } catch (error) {
        complete &&= isRefused(error);
        reportAt(error, report, ['plugins', index]);
      }
    }
    return complete ? [own, [this.environment.core]] : undefined;
  }

  #loadedPlugins(): readonly LoadedPlugin[] {
    const { units } = this.environment;
    return [...(units ? [units] : []), ...this.#plugins.map(({ plugin }) => plugin)];
  }

  async #mergeBases(data: RawMap, from: string, trail: readonly string[], report: ProblemReporter): Promise<RawMap> {
    let merged: RawMap = {};
    for (const [index, ref] of toNameList(data['extends']).entries()) {
      if (typeof ref !== 'string' || ref === '') continue;
      const path = ['extends', index];
      if (this.environment.trust === 'none' && isProfilePath(ref)) {
        report('ASZ111', `an untrusted profile can extend only presets, found the path ${ref}`, path, PRESETS_HINT);
        continue;
      }
      const preset = isProfilePath(ref)
        ? undefined
        : await this.#findPreset(ref, from, (message, hint) => report('ASZ205', message, path, hint));
      const file = isProfilePath(ref) ? this.environment.files.resolve(from, ref) : preset?.name;
      if (file === undefined) continue;
      if (trail.at(-1) === file) {
        report('ASZ206', 'a profile cannot extend itself', path, 'name the profile that it builds on');
        continue;
      }
      if (trail.includes(file)) {
        report('ASZ206', `${ref} extends this profile, which extends it`, path, [...trail, file].join(' → '));
        continue;
      }
      try {
        const inherited = await (preset ? this.#loadText(preset, trail) : this.#loadFile(file, trail));
        merged = mergeProfiles(merged, inherited, this.#origins);
      } catch (error) {
        reportAt(error, report, path);
      }
    }
    return mergeProfiles(merged, data, this.#origins);
  }

  /**
   * Finds a preset. Reports an unknown name and returns undefined.
   *
   * @param from the file that names it; the hint suggests profiles in its folder
   */
  async #findPreset(
    name: string,
    from: string,
    report: (message: string, hint: string) => void,
  ): Promise<SourceFile | undefined> {
    const preset = await presetSource(name);
    if (preset !== undefined) return preset;
    const names = await presetNames();
    const beside = this.environment.trust === 'none' ? undefined : this.environment.files.sibling(from, name);
    const near = beside ?? closestName(name, names);
    if (name.includes('\n')) {
      report('the name of a preset has several lines', 'pass the text of a profile as { yaml: text, name }');
      return undefined;
    }
    report(
      `unknown preset ${name || '""'}`,
      `${near ? `did you mean ${near}? ` : ''}presets: ${names.join(', ')}; a path has a slash or ends in .yaml`,
    );
    return undefined;
  }
}

const PRESETS_HINT = 'copy its keys into this profile, or extend a preset';

/** Whether a plugin failed only because the profile is untrusted. Classes are then looked up in the other plugins. */
const isRefused = (error: unknown): boolean =>
  error instanceof AssizeError && error.problems.every(({ code }) => code === 'ASZ111');

/** Reports the problems of an AssizeError at one path; rethrows any other error. */
function reportAt(error: unknown, report: ProblemReporter, path: DataPath): void {
  if (!(error instanceof AssizeError)) throw error;
  for (const { code, message, hint } of error.problems) report(code, message, path, hint);
}

/** Every key of a profile. */
const KEYS = [...Object.keys(profileSchema.shape), SCORING_KEY];

/** The keys that distinguish a profile from other files: many files have a `name`. */
const DISTINCTIVE_KEYS = [
  ...KEYS.filter((key) => !['name', 'description', 'context'].includes(key)),
  ...Object.keys(MEANT),
];

/** A key of YAML or JSON, in a text that cannot be parsed. It matches in linear time because it skips no line end. */
const WRITTEN_KEY = /(?:^|[{,])[ \t]*["']?([\w-]+)["']?[ \t]*:/gm;
/** The same at the start of a line. */
const TOP_KEY = /^["']?([\w-]+)["']?[ \t]*:/gm;

/**
 * Whether a file is probably a profile: it has a distinctive key, perhaps misspelt, or only keys of a profile.
 */
export function looksLikeProfile({ source, data }: Pick<ProfileDocument, 'source' | 'data'>): boolean {
  if (isMap(data)) return Object.keys(data).some(isNear(DISTINCTIVE_KEYS)) || areAllNear(Object.keys(data));
  const distinctive = new Set(DISTINCTIVE_KEYS);
  return (
    keysIn(source.text, WRITTEN_KEY).some((key) => distinctive.has(key)) || areAllNear(keysIn(source.text, TOP_KEY))
  );
}

const isNear =
  (known: readonly string[]) =>
  (key: string): boolean =>
    known.includes(key) || closestName(key, known) !== undefined;

const areAllNear = (keys: readonly string[]): boolean => keys.length > 0 && keys.every(isNear(KEYS));

const keysIn = (text: string, pattern: RegExp): readonly string[] =>
  Array.from(text.matchAll(pattern), ([, key = '']) => key);

/**
 * Replaces the problems of a file that is not a profile by one that says so. Problems quote the file, and a wrong path may
 * lead to a file with secrets.
 */
export function hideForeignFiles(problems: readonly Problem[], foreign: ReadonlySet<string>): readonly Problem[] {
  const reported = new Set<string>();
  return problems.flatMap((problem): readonly Problem[] => {
    const { place } = problem;
    if (place === undefined || !foreign.has(place.file)) return [problem];
    if (reported.has(place.file)) return [];
    reported.add(place.file);
    return [
      {
        code: problem.code,
        message: 'this file is not a profile: it has no key of a profile',
        place: startOf(place.file),
        hint: HINT,
      },
    ];
  });
}

const startOf = (file: string) => ({ file, line: 1, column: 1 });

const HINT = 'a profile looks like: tier2_scorers: [{ id: stars, expr: candidate.stars }]';
