import { dirname, isAbsolute, relative, resolve } from 'node:path';
import type { LoadedPlugin } from '../contract/index.js';
import { copyPlace } from '../diagnostics/places.js';
import { isMap } from '../expression/is-map.js';
import { setOwn } from '../expression/set-own.js';
import { isFileSpec } from '../registry/load-plugin.js';
import { findClasses, type LookupLevel } from './class-lookup.js';
import type { ClassOrigins, RawMap } from './merge/merge-profiles.js';
import { readsWeights } from './resolve/resolve-weights.js';
import { addDefaults } from './schema/add-defaults.js';
import { paramsJsonSchema, profileBaseJsonSchema } from './schema/json-schema.js';
import { profileSchema } from './schema/profile-schema.js';

/** A plugin, and where it was written. */
export interface PluginReference {
  readonly spec: string;
  readonly plugin: LoadedPlugin;
  /** The file that its path starts from. */
  readonly from: string;
  readonly list: readonly unknown[];
  readonly index: number;
}

/** What an effective profile is made of. */
interface EffectiveProfileParts {
  readonly root: RawMap;
  readonly name: string;
  readonly origins: ClassOrigins;
  readonly plugins: readonly PluginReference[];
  readonly core: LoadedPlugin;
  /** What the paths of plugins start from. */
  readonly folder: string;
  readonly defaults: boolean;
}

/** A merged profile as one file would say it: its keys in the order of the schema. */
export function buildEffectiveProfile(parts: EffectiveProfileParts): RawMap {
  const { root, name, defaults } = parts;
  const plugins = mergedPluginSpecs(parts);
  const levels: readonly LookupLevel[] = [[...new Set(parts.plugins.map(({ plugin }) => plugin))], [parts.core]];
  const whole: Record<string, unknown> = {};
  for (const key of Object.keys(profileSchema.shape)) {
    if (key === 'name') {
      setOwn(whole, key, name);
      copyPlace(root, key, whole, key);
    } else if (key === 'plugins') {
      if (plugins.length > 0) setOwn(whole, key, plugins);
    } else if (key !== 'extends' && Object.hasOwn(root, key)) {
      setOwn(whole, key, copyWithClasses(root[key], parts, levels));
      copyPlace(root, key, whole, key);
    }
  }
  if (!defaults) return whole;
  addDefaults(whole, profileBaseJsonSchema());
  addOnAbsent(entriesOf(whole['tier1_scorers']), 'pass', levels);
  addOnAbsent(entriesOf(whole['tier2_scorers']), 'skip', levels);
  addOnError(entriesOf(whole['tier2_scorers']), levels);
  const combine = profileSchema.shape.combine.safeParse(whole['combine']).data;
  return typeof combine === 'string' && readsWeights(combine) ? whole : withoutWeights(whole);
}

/** Where nothing reads weights, their default is none: a profile that said it would be wrong. */
function withoutWeights(whole: RawMap): RawMap {
  for (const entry of entriesOf(whole['tier2_scorers'])) delete entry['weight'];
  return whole;
}

const entriesOf = (list: unknown): readonly Record<string, unknown>[] =>
  Array.isArray(list) ? list.filter((entry) => isMap(entry)) : [];

/** Says of entries what their abstaining means, where they don't: no schema knows, because their classes may. */
function addOnAbsent(entries: readonly Record<string, unknown>[], usual: string, levels: readonly LookupLevel[]): void {
  for (const entry of entries) {
    if (Object.hasOwn(entry, 'on_absent')) continue;
    const [found] = typeof entry['class'] === 'string' ? findClasses(entry['class'], levels) : [];
    setOwn(entry, 'on_absent', found?.unit.meta.onAbsent ?? usual);
  }
}

/**
 * Says of scorers what their failing means, where they don't. One that is prepared has no one default: a candidate that
 * it fails on is refused, and the run fails where its preparing does.
 */
function addOnError(entries: readonly Record<string, unknown>[], levels: readonly LookupLevel[]): void {
  for (const entry of entries) {
    if (!Object.hasOwn(entry, 'on_error') && !hasPreparedClass(entry, levels)) setOwn(entry, 'on_error', 'refuse');
  }
}

/** Whether an entry, or one inside its params, has a class that is prepared. */
function hasPreparedClass(value: unknown, levels: readonly LookupLevel[]): boolean {
  if (Array.isArray(value)) return value.some((item: unknown) => hasPreparedClass(item, levels));
  if (!isMap(value)) return false;
  const [found] = typeof value['class'] === 'string' ? findClasses(value['class'], levels) : [];
  return (
    (found && 'prepare' in found.unit.prototype) || Object.values(value).some((item) => hasPreparedClass(item, levels))
  );
}

/** All plugins, each once, by paths that start from one folder. */
function mergedPluginSpecs({ plugins, folder }: EffectiveProfileParts): unknown[] {
  const specs: unknown[] = [];
  for (const { spec, from, list, index } of plugins) {
    const file = isFileSpec(spec) ? relative(folder, resolve(dirname(from), spec)) : undefined;
    const said = file === undefined ? spec : isAbsolute(file) || file.startsWith('..') ? file : `./${file}`;
    if (specs.includes(said)) continue;
    copyPlace(list, index, specs, specs.length);
    specs.push(said);
  }
  return specs;
}

/** A copy in which every class is found in the packs of all files, and its params have their defaults. */
function copyWithClasses(value: unknown, parts: EffectiveProfileParts, levels: readonly LookupLevel[]): unknown {
  if (Array.isArray(value)) {
    const list: unknown[] = value.map((item: unknown) => copyWithClasses(item, parts, levels));
    for (const index of list.keys()) copyPlace(value, index, list, index);
    return list;
  }
  if (!isMap(value)) return value;
  const map: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    setOwn(map, key, copyWithClasses(item, parts, levels));
    copyPlace(value, key, map, key);
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
