import { dirname, isAbsolute, relative, resolve } from 'node:path';
import type { NamedPack } from '../contract/index.js';
import { isMap } from '../document/map.js';
import { setOwn } from '../document/own.js';
import { copyPlace } from '../document/places.js';
import { isFileSpec } from '../registry/load-plugin.js';
import { type Level, search } from '../registry/lookup.js';
import { addDefaults } from './defaults.js';
import { paramsJsonSchema, profileBaseSchema } from './json-schema.js';
import type { Origins, Raw } from './merge.js';
import { profileSchema } from './schema.js';
import { readsWeights } from './weights.js';

/** A plugin, and where it was written. */
export interface WrittenPlugin {
  readonly spec: string;
  readonly pack: NamedPack;
  /** The file that its path starts from. */
  readonly from: string;
  readonly list: readonly unknown[];
  readonly index: number;
}

/** What an effective profile is made of. */
interface Parts {
  readonly root: Raw;
  readonly name: string;
  readonly origins: Origins;
  readonly plugins: readonly WrittenPlugin[];
  readonly core: NamedPack;
  /** What the paths of plugins start from. */
  readonly folder: string;
  readonly defaults: boolean;
}

/** A merged profile as one file would say it: its keys in the order of the schema. */
export function effectiveProfile(parts: Parts): Raw {
  const { root, name, defaults } = parts;
  const plugins = pluginsOf(parts);
  const levels: readonly Level[] = [[...new Set(parts.plugins.map(({ pack }) => pack))], [parts.core]];
  const whole: Record<string, unknown> = {};
  for (const key of Object.keys(profileSchema.shape)) {
    if (key === 'name') {
      setOwn(whole, key, name);
      copyPlace(root, key, whole, key);
    } else if (key === 'plugins') {
      if (plugins.length > 0) setOwn(whole, key, plugins);
    } else if (key !== 'extends' && Object.hasOwn(root, key)) {
      setOwn(whole, key, copied(root[key], parts, levels));
      copyPlace(root, key, whole, key);
    }
  }
  if (!defaults) return whole;
  addDefaults(whole, profileBaseSchema());
  addAbsent(entriesOf(whole['tier1_scorers']), 'pass', levels);
  addAbsent(entriesOf(whole['tier2_scorers']), 'skip', levels);
  addError(entriesOf(whole['tier2_scorers']), levels);
  const combine = profileSchema.shape.combine.safeParse(whole['combine']).data;
  return typeof combine === 'string' && readsWeights(combine) ? whole : withoutWeights(whole);
}

/** Where nothing reads weights, their default is none: a profile that said it would be wrong. */
function withoutWeights(whole: Raw): Raw {
  for (const entry of entriesOf(whole['tier2_scorers'])) delete entry['weight'];
  return whole;
}

const entriesOf = (list: unknown): readonly Record<string, unknown>[] =>
  Array.isArray(list) ? list.filter((entry) => isMap(entry)) : [];

/** Says of entries what their abstaining means, where they don't: no schema knows, because their classes may. */
function addAbsent(entries: readonly Record<string, unknown>[], usual: string, levels: readonly Level[]): void {
  for (const entry of entries) {
    if (Object.hasOwn(entry, 'on_absent')) continue;
    const [found] = typeof entry['class'] === 'string' ? search(entry['class'], levels) : [];
    setOwn(entry, 'on_absent', found?.unit.meta.onAbsent ?? usual);
  }
}

/**
 * Says of scorers what their failing means, where they don't. One that is prepared has no one default: a candidate that
 * it fails on is refused, and the run fails where its preparing does.
 */
function addError(entries: readonly Record<string, unknown>[], levels: readonly Level[]): void {
  for (const entry of entries) {
    if (!Object.hasOwn(entry, 'on_error') && !isPrepared(entry, levels)) setOwn(entry, 'on_error', 'refuse');
  }
}

/** Whether an entry, or one inside its params, has a class that is prepared. */
function isPrepared(value: unknown, levels: readonly Level[]): boolean {
  if (Array.isArray(value)) return value.some((item: unknown) => isPrepared(item, levels));
  if (!isMap(value)) return false;
  const [found] = typeof value['class'] === 'string' ? search(value['class'], levels) : [];
  return (found && 'prepare' in found.unit.prototype) || Object.values(value).some((item) => isPrepared(item, levels));
}

/** All plugins, each once, by paths that start from one folder. */
function pluginsOf({ plugins, folder }: Parts): unknown[] {
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
function copied(value: unknown, parts: Parts, levels: readonly Level[]): unknown {
  if (Array.isArray(value)) {
    const list: unknown[] = value.map((item: unknown) => copied(item, parts, levels));
    for (const index of list.keys()) copyPlace(value, index, list, index);
    return list;
  }
  if (!isMap(value)) return value;
  const map: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    setOwn(map, key, copied(item, parts, levels));
    copyPlace(value, key, map, key);
  }
  const written = parts.origins.levelsOf(value);
  const [found] = typeof map['class'] === 'string' && written ? search(map['class'], written) : [];
  if (!found) return map;
  const [now, second] = search(String(map['class']), levels);
  if (second || now?.unit !== found.unit) map['class'] = `${found.pack}/${found.name}`;
  if (parts.defaults) {
    const params = isMap(map['params']) ? { ...map['params'] } : {};
    if (isMap(map['params'])) for (const key of Object.keys(params)) copyPlace(map['params'], key, params, key);
    addDefaults(params, paramsJsonSchema(found.unit.meta.params));
    if (Object.keys(params).length > 0) map['params'] = params;
  }
  return map;
}
