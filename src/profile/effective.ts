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
  const combine = profileSchema.shape.combine.safeParse(whole['combine']).data;
  return typeof combine === 'string' && readsWeights(combine) ? whole : withoutWeights(whole);
}

/** Where nothing reads weights, their default is none: a profile that said it would be wrong. */
function withoutWeights(whole: Raw): Raw {
  const scorers: unknown = whole['tier2_scorers'];
  for (const entry of Array.isArray(scorers) ? scorers : []) if (isMap(entry)) Reflect.deleteProperty(entry, 'weight');
  return whole;
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
