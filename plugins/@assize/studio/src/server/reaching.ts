import * as z from 'zod';
import { reachOf } from 'assize/internal';
import type { UnitClass } from 'assize/sdk';
import { isMap, type ProfileDocument } from '../data/studio-data.js';

/** Finds a loaded class by its name in a profile: `DecayScorer`, or `core/DecayScorer`. */
export type FindClass = (name: string) => UnitClass | undefined;

/** Keys of a profile whose values name files or modules. */
const ROOT_KEYS = new Set(['plugins', 'extends']);
/** The classes of maps that name none. */
const DEFAULT_CLASSES: Readonly<Record<string, string>> = { pack: 'GroupPack' };
const OUTSIDE_KEYS = new Set(['memory', 'shadow']);

/**
 * The values of a profile that name files, modules, hosts, environment variables or models, as texts that can be
 * compared: `plugins: ["./mine.js"]`, `OnnxScorer.file: "./model.onnx"`. A page may not add or change these. Params of
 * unknown classes are included, because nothing describes them.
 *
 * @param inherited the merged profile that it extends: it has the classes of entries that are only amended
 */
export function outsideValues(own: unknown, inherited: ProfileDocument, find: FindClass): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (name: string, value: unknown): void => void found.add(`${name}: ${JSON.stringify(value)}`);
  const collect = (value: unknown, base: unknown, isRoot: boolean, outer = ''): void => {
    if (Array.isArray(value)) for (const item of value) collect(item, sameItem(item, base), false);
    if (!isMap(value)) return;
    const name = value['class'] ?? (isMap(base) ? base['class'] : undefined) ?? DEFAULT_CLASSES[outer];
    for (const [key, inner] of Object.entries(value)) {
      if (OUTSIDE_KEYS.has(key) || (isRoot && ROOT_KEYS.has(key))) add(key, inner);
      else if (key === 'params' && isMap(inner)) collectParams(typeof name === 'string' ? name : '', inner);
      else
        collect(
          inner,
          isMap(base) ? (key === 'scoring' ? base : base[key]) : undefined,
          isRoot && key === 'scoring',
          key,
        );
    }
  };
  const collectParams = (name: string, params: ProfileDocument): void => {
    const reaches = reachingParams(find(name));
    for (const [param, value] of Object.entries(params)) {
      if (reaches(param)) add(`${name}.${param}`, value);
      else collect(value, undefined, false);
    }
  };
  collect(own, inherited, true);
  return found;
}

const sameItem = (item: unknown, list: unknown): unknown =>
  isMap(item) && item['id'] !== undefined && Array.isArray(list)
    ? list.find((one) => isMap(one) && one['id'] === item['id'])
    : undefined;

/** Tells whether a param of a class may name something outside of the profile. */
export function reachingParams(unit: UnitClass | undefined): (param: string) => boolean {
  if (!unit) return () => true;
  const { params } = unit.meta;
  if (!(params instanceof z.ZodObject)) {
    const reaches = reachesOut(params);
    return () => reaches;
  }
  const shape = new Map<string, z.core.$ZodType>(Object.entries(params.shape));
  return (param) => {
    const schema = shape.get(param);
    return schema !== undefined && reachesOut(schema);
  };
}

/** Whether a value of a schema, or a part of it, may name something outside. Nested entries are classes of their own. */
function reachesOut(schema: z.core.$ZodType): boolean {
  if (reachOf(schema) !== undefined) return true;
  if (schema instanceof z.ZodPipe) return reachesOut(schema.in);
  if (schema instanceof z.ZodObject) return Object.values<z.core.$ZodType>(schema.shape).some(reachesOut);
  if (schema instanceof z.ZodArray) return reachesOut(schema.element);
  if (schema instanceof z.ZodRecord) return reachesOut(schema.valueType);
  if (schema instanceof z.ZodUnion) return schema.options.some(reachesOut);
  if (schema instanceof z.ZodLazy) return false;
  return 'unwrap' in schema && typeof schema.unwrap === 'function' && reachesOut(schema.unwrap() as z.core.$ZodType);
}
