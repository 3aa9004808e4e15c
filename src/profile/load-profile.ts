import type { LoadedPlugin, ServiceBinding } from '../sdk/index.js';
import { toAssizeError, copyPlace, type Problem } from '../base/index.js';
import { isMap, setOwn } from '../expression/index.js';
import { type ClassOrigins, findClasses, hasPreparedClass, type LookupLevel } from './class-lookup.js';
import { readsWeights } from './combine-methods.js';
import { applyChange, type Change } from './source/apply-change.js';
import { fillDefaults } from './source/merge-profiles.js';
import type { Profile } from './profile.js';
import { resolveProfile } from './resolve/resolve-profile.js';
import type { AbsolutePath } from './resolve/resolver.js';
import { isSchemaNode, type JsonSchemaNode, paramsJsonSchema, profileBaseJsonSchema } from './schema/json-schema.js';
import { profileSchema } from './schema/profile-schema.js';
import {
  hideForeignFiles,
  type LoadEnvironment,
  type MergedProfile,
  type PluginReference,
  SourceLoader,
  isFileSpec,
  type ProfileFiles,
  type ProfileSource,
} from './source/source-loader.js';
import { ENTRY_LISTS, rawEntries, type RawMap, setWithPlace } from './source/raw-profile.js';
import { PROFILE_LIMITS, type Trust } from './trust.js';
import { profileWarnings } from './profile-warnings.js';

/** A valid profile, the warnings about it, and the services of its plugins. */
export interface LoadedProfile {
  readonly profile: Profile;
  readonly warnings: readonly Problem[];
  readonly services: readonly ServiceBinding[];
  /**
   * Applies a change.
   *
   * @throws AssizeError with every problem of the change and of the changed profile
   */
  applyChange(change: Change): LoadedProfile;
  /**
   * The profile merged with everything it extends, as one file without `extends`. Each value keeps its place. Loading it
   * gives the same profile.
   *
   * @param defaults whether to add the defaults of missing keys
   */
  effective(defaults: boolean): RawMap;
  /** A text for each entry, by id. Two versions of an entry are equal if their texts are. */
  entryTexts(): ReadonlyMap<string, string>;
}

/** After these problems a part of the data is missing: an unreadable file, a syntax error, an unknown preset. */
const MISSING_DATA_CODES: ReadonlySet<Problem['code']> = new Set<Problem['code']>([
  'ASZ101',
  'ASZ102',
  'ASZ110',
  'ASZ111',
  'ASZ205',
]);

/** Missing data cannot cause these problems: a refusal, an unknown key, an expression that does not parse. */
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
export async function loadProfile(ref: ProfileSource, host: LoadEnvironment): Promise<LoadedProfile> {
  const merged = await new SourceLoader(host).load(ref);
  return toLoadedProfile(merged, host);
}

/** Checks merged data against the schema, resolves and warns, or throws every problem. */
function toLoadedProfile(merged: MergedProfile, host: LoadEnvironment): LoadedProfile {
  const { root, origins, services, plugins } = merged;
  const { files, base, trust, given } = host;
  const absolutePath: AbsolutePath = (path, file) =>
    files.resolve(file === undefined || merged.texts.has(file) ? base : file, path);
  const filled = fillDefaults(root, origins);
  const { profile, problems } = resolveProfile(filled, origins, merged.name, absolutePath, { trust, given });
  const incomplete = merged.problems.some(({ code }) => MISSING_DATA_CODES.has(code));
  // References to missing data would be reported as well.
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

/** The input of `buildEffectiveProfile`. */
interface EffectiveProfileParts {
  readonly root: RawMap;
  readonly name: string;
  readonly origins: ClassOrigins;
  readonly plugins: readonly PluginReference[];
  readonly core: LoadedPlugin;
  readonly files: ProfileFiles;
  /** A file name; plugin paths become relative to its folder. */
  readonly base: string;
  readonly defaults: boolean;
  readonly trust: Trust;
}

/** Writes a merged profile as one file, with the keys in the order of the schema. */
function buildEffectiveProfile(parts: EffectiveProfileParts): RawMap {
  const { root, name, defaults } = parts;
  const plugins = mergedPluginSpecs(parts);
  const levels: readonly LookupLevel[] = [[...new Set(parts.plugins.map(({ plugin }) => plugin))], [parts.core]];
  const whole: Record<string, unknown> = {};
  for (const key of Object.keys(profileSchema.shape)) {
    if (key === 'name') {
      setWithPlace(whole, key, name, root);
    } else if (key === 'plugins') {
      if (plugins.length > 0) setOwn(whole, key, plugins);
    } else if (key !== 'extends' && Object.hasOwn(root, key)) {
      setWithPlace(whole, key, copyWithClasses(root[key], parts, levels), root);
    }
  }
  if (!defaults) return whole;
  addDefaults(whole, profileBaseJsonSchema());
  if (!Object.hasOwn(root, 'expression_steps'))
    setOwn(whole, 'expression_steps', PROFILE_LIMITS[parts.trust].defaultSteps);
  addOnAbsent(entriesOf(whole['tier1_scorers']), 'pass', levels);
  addOnAbsent(entriesOf(whole['tier2_scorers']), 'skip', levels);
  addOnError(entriesOf(whole['tier2_scorers']), levels);
  const combine = profileSchema.shape.combine.safeParse(whole['combine']).data;
  return typeof combine === 'string' && readsWeights(combine) ? whole : withoutWeights(whole);
}

/** Removes weights. With a combine method that uses no weights, a profile with weights would not load. */
function withoutWeights(whole: RawMap): RawMap {
  for (const entry of entriesOf(whole['tier2_scorers'])) delete entry['weight'];
  return whole;
}

const entriesOf = (list: unknown): readonly Record<string, unknown>[] =>
  Array.isArray(list) ? list.filter((entry) => isMap(entry)) : [];

/** Adds the default of `on_absent`. The schema has none because a class may declare its own. */
function addOnAbsent(entries: readonly Record<string, unknown>[], usual: string, levels: readonly LookupLevel[]): void {
  for (const entry of entries) {
    if (Object.hasOwn(entry, 'on_absent')) continue;
    const [found] = typeof entry['class'] === 'string' ? findClasses(entry['class'], levels) : [];
    setOwn(entry, 'on_absent', found?.unit.meta.onAbsent ?? usual);
  }
}

/**
 * Adds the default of `on_error` to scorers without `prepare`. Scorers with `prepare` have no single default: an error
 * on a candidate refuses it, but an error in `prepare` fails the run.
 */
function addOnError(entries: readonly Record<string, unknown>[], levels: readonly LookupLevel[]): void {
  for (const entry of entries) {
    if (!Object.hasOwn(entry, 'on_error') && !hasPreparedClass(entry, () => levels))
      setOwn(entry, 'on_error', 'refuse');
  }
}

/** The lines of all plugins without duplicates, with paths relative to one folder. */
function mergedPluginSpecs({ plugins, files, base }: EffectiveProfileParts): unknown[] {
  const specs: unknown[] = [];
  for (const { spec, from, list, index } of plugins) {
    const merged = isFileSpec(spec) ? files.relative(base, files.resolve(from, spec)) : spec;
    if (specs.includes(merged)) continue;
    copyPlace(list, index, specs, specs.length);
    specs.push(merged);
  }
  return specs;
}

/** A copy in which every class can be looked up among the plugins of all files. Params get their defaults if wanted. */
function copyWithClasses(value: unknown, parts: EffectiveProfileParts, levels: readonly LookupLevel[]): unknown {
  if (Array.isArray(value)) {
    const list: unknown[] = value.map((item: unknown) => copyWithClasses(item, parts, levels));
    for (const index of list.keys()) copyPlace(value, index, list, index);
    return list;
  }
  if (!isMap(value)) return value;
  const map: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    setWithPlace(map, key, copyWithClasses(item, parts, levels), value);
  }
  const written = parts.origins.levelsOf(value);
  const [found] = typeof map['class'] === 'string' && written ? findClasses(map['class'], written) : [];
  if (!found) return map;
  const [now, second] = findClasses(String(map['class']), levels);
  if (second || now?.unit !== found.unit) map['class'] = `${found.plugin}/${found.name}`;
  if (parts.defaults) {
    const params = isMap(map['params']) ? { ...map['params'] } : {};
    if (isMap(map['params'])) for (const key of Object.keys(params)) copyPlace(map['params'], key, params, key);
    addDefaults(params, paramsJsonSchema(found.unit.meta.params));
    if (Object.keys(params).length > 0) map['params'] = params;
  }
  return map;
}

/** An empty list or map as a default adds nothing to a profile. */
const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** Adds the defaults of missing keys, at every depth that the schema describes unconditionally. They have no place. */
function addDefaults(data: unknown, schema: JsonSchemaNode): void {
  const { items, properties } = schema;
  if (Array.isArray(data) && isSchemaNode(items)) for (const item of data) addDefaults(item, items);
  if (!isSchemaNode(data) || !isSchemaNode(properties)) return;
  for (const [key, property] of Object.entries(properties)) {
    if (!isSchemaNode(property)) continue;
    if (Object.hasOwn(data, key)) addDefaults(data[key], property);
    else if (property['default'] !== undefined && !isEmpty(property['default'])) setOwn(data, key, property['default']);
  }
}

/** Keys that only people read. They do not change scores. */
const DISPLAY_KEYS: ReadonlySet<string> = new Set(['label', 'reason']);

/**
 * A text for each entry, by id, with defaults and field names: an entry with the same text in two profiles is the same.
 */
export function entryTexts(root: RawMap): ReadonlyMap<string, string> {
  // Any entry may read the renamed fields, the named expressions and the statistics.
  const fields = JSON.stringify([root['fields'], root['let'], root['stats']]);
  const texts = new Map<string, string>();
  for (const list of ENTRY_LISTS) {
    for (const [entry, , id] of rawEntries(root, list)) {
      const compared = Object.entries(entry).filter(([key]) => list === 'strategies' || !DISPLAY_KEYS.has(key));
      texts.set(id, `${texts.get(id) ?? fields}${JSON.stringify(compared)}`);
    }
  }
  return texts;
}

/** The ids of the entries that are new in a profile, or differ from those of another. */
export const entriesThatDiffer = (
  texts: ReadonlyMap<string, string>,
  others: ReadonlyMap<string, string>,
): ReadonlySet<string> => new Set([...texts].filter(([id, text]) => others.get(id) !== text).map(([id]) => id));
