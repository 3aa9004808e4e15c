import { copyPlace, copyPlaces } from '../../diagnostics/index.js';
import { compilePath, FieldNames, formatPath, isMap, PathError, type PathStep } from '../../expression/index.js';
import { type ClassOrigins, hasPreparedClass } from '../class-lookup.js';
import { defaultsSchema, SHAPES_WITH_DEFAULTS } from '../schema/entry-schemas.js';
import { ENTRY_LISTS, type RawMap, setWithPlace } from './raw-profile.js';

/** Keys that describe one file and are not inherited. */
const NOT_INHERITED: ReadonlySet<string> = new Set(['name', 'description', 'extends', 'plugins']);

const ENTRY_LIST_KEYS: ReadonlySet<string> = new Set(ENTRY_LISTS);

/**
 * Lays one profile over another (`extends`): maps merge by key, entries by id, other lists replace. An entry without
 * `class` or `expr` changes keys of the inherited one, with either it replaces it; inherited positions stay, new ids
 * go last or before the id that `before` names. Nothing is appended twice.
 */
export function mergeProfiles(below: RawMap, over: RawMap, origins: ClassOrigins): RawMap {
  const merged: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(below))
    if (!NOT_INHERITED.has(key)) setWithPlace(merged, key, value, below);
  for (const [key, value] of Object.entries(over)) {
    const inherited = NOT_INHERITED.has(key) ? undefined : getOwn(merged, key);
    const base: unknown = ENTRY_LIST_KEYS.has(key) ? (inherited ?? []) : inherited;
    const list = ENTRY_LIST_KEYS.has(key) && Array.isArray(base) && Array.isArray(value);
    const whole =
      key === 'fields'
        ? mergeFields(base, value)
        : list
          ? mergeEntries(base, value, origins)
          : mergeValues(base, value, origins);
    setWithPlace(merged, key, whole, over);
  }
  return merged;
}

const getOwn = (map: RawMap, key: string): unknown => (Object.hasOwn(map, key) ? map[key] : undefined);

/** Maps of another `type` or `name` have other keys: a window has no half-life, and another embedder no dtype. */
const isDifferentVariant = (base: RawMap, over: RawMap): boolean =>
  ['type', 'name'].some((key) => Object.hasOwn(base, key) && Object.hasOwn(over, key) && base[key] !== over[key]);

function mergeValues(base: unknown, over: unknown, origins: ClassOrigins): unknown {
  return isMap(base) && isMap(over) && !isDifferentVariant(base, over) ? mergeMaps(base, over, origins) : over;
}

/** The keys of an entry inside a unit that an overriding use drops: a use is a class with its params, or an expression. */
function supersededKeys(base: RawMap, over: RawMap): readonly string[] {
  if (Object.hasOwn(over, 'expr')) return ['class', 'params'];
  if (!Object.hasOwn(over, 'class')) return [];
  const another = Object.hasOwn(base, 'class') && base['class'] !== over['class'];
  return another ? ['expr', 'params'] : ['expr'];
}

function mergeMaps(base: RawMap, over: RawMap, origins: ClassOrigins): RawMap {
  const merged: Record<string, unknown> = {};
  const superseded = supersededKeys(base, over);
  for (const [key, value] of Object.entries(base))
    if (!superseded.includes(key)) setWithPlace(merged, key, value, base);
  for (const [key, value] of Object.entries(over))
    setWithPlace(merged, key, mergeValues(getOwn(merged, key), value, origins), over);
  origins.inherit(merged, base, over);
  return merged;
}

const idOf = (entry: unknown): unknown => (isMap(entry) ? getOwn(entry, 'id') : undefined);

/** An entry, and the list and position where it was written last. */
interface MergedEntry {
  entry: unknown;
  list: readonly unknown[];
  index: number;
}

function mergeEntries(base: readonly unknown[], over: readonly unknown[], origins: ClassOrigins): unknown[] {
  const items = base.map((entry, index): MergedEntry => ({ entry, list: base, index }));
  // Only those of the base: two of one id in one list are a mistake, which merging them would hide.
  const inherited = new Map(items.map((item) => [idOf(item.entry), item]));
  for (const [index, entry] of over.entries()) {
    const id = idOf(entry);
    const item = id === undefined ? undefined : inherited.get(id);
    if (item && isMap(entry) && isMap(item.entry)) {
      const replaces = Object.hasOwn(entry, 'class') || Object.hasOwn(entry, 'expr');
      Object.assign(item, { entry: replaces ? entry : mergeMaps(item.entry, entry, origins), list: over, index });
      continue;
    }
    const before = isMap(entry) ? getOwn(entry, 'before') : undefined;
    const next = before === undefined ? -1 : items.findIndex((other) => idOf(other.entry) === before);
    items.splice(next < 0 ? items.length : next, 0, { entry, list: over, index });
  }
  const merged = items.map(({ entry }) => entry);
  for (const [position, { list, index }] of items.entries()) copyPlace(list, index, merged, position);
  return merged;
}

/**
 * Lays one profile's names of fields over another's: what the one below calls `text`, the one over it may call `body`,
 * and then `content: text` below it is `content: body`.
 */
function mergeFields(below: unknown, over: unknown): unknown {
  if (!isMap(below) || !isMap(over)) return over;
  const names = new FieldNames(
    Object.entries(over).flatMap(([name, target]): readonly (readonly [readonly PathStep[], readonly PathStep[]])[] => {
      const [from, to] = [stepsOf(name), stepsOf(target)];
      return from && to ? [[from, to]] : [];
    }),
  );
  const merged: Record<string, unknown> = {};
  for (const [name, target] of Object.entries(below)) {
    const steps = stepsOf(target);
    const renamed = steps && names.rename(steps);
    setWithPlace(merged, name, renamed === steps || !renamed ? target : formatPath(renamed), below);
  }
  for (const [name, target] of Object.entries(over)) setWithPlace(merged, name, target, over);
  return merged;
}

/** The steps of a path; undefined for what is none, which is reported where the profile is resolved. */
function stepsOf(text: unknown): readonly PathStep[] | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    return compilePath(text).steps;
  } catch (error) {
    if (error instanceof PathError) return undefined;
    throw error;
  }
}

/** The lists whose entries can all time out; elsewhere only what is prepared can. */
const ALWAYS_TIMED: ReadonlySet<string> = new Set(['signals', 'report']);

/**
 * Gives each entry the profile's `defaults` for the keys that it does not have, as if it had them, with the places
 * of the defaults. An entry takes what its kind has and can be, and a `timeout` only where something is prepared. Entries
 * inside params take none: their class decides what it means that one of them is absent.
 */
export function fillDefaults(root: RawMap, origins: ClassOrigins): RawMap {
  const { defaults } = root;
  if (!isMap(defaults)) return root;
  const filled: Record<string, unknown> = { ...root };
  for (const [key, shape] of SHAPES_WITH_DEFAULTS) {
    const list = root[key];
    if (!Array.isArray(list)) continue;
    const names = Object.keys(defaultsSchema.shape).filter(
      (name) => Object.hasOwn(defaults, name) && shape[name]?.safeParse(defaults[name]).success,
    );
    const canTimeOut = (entry: RawMap): boolean =>
      ALWAYS_TIMED.has(key) || hasPreparedClass(entry, (map) => origins.levelsOf(map));
    const entries = list.map((entry: unknown) => {
      if (!isMap(entry) || entry['enabled'] === false) return entry;
      const missing = names.filter((name) => !Object.hasOwn(entry, name) && (name !== 'timeout' || canTimeOut(entry)));
      return withDefaults(entry, missing, defaults, origins);
    });
    for (const index of list.keys()) copyPlace(list, index, entries, index);
    filled[key] = entries;
  }
  copyPlaces(root, filled);
  return filled;
}

/** An entry with some of the defaults. */
function withDefaults(entry: RawMap, names: readonly string[], defaults: RawMap, origins: ClassOrigins): RawMap {
  const copy: Record<string, unknown> = { ...entry };
  for (const name of names) setWithPlace(copy, name, defaults[name], defaults);
  copyPlaces(entry, copy);
  origins.inherit(copy, entry, entry);
  return copy;
}

/** The keys of a profile's `defaults` that no entry has taken. */
export function unusedDefaults(root: RawMap, filled: RawMap): readonly string[] {
  const { defaults } = root;
  const entriesOf = (data: RawMap, key: string): readonly unknown[] => (Array.isArray(data[key]) ? data[key] : []);
  const isTaken = (name: string): boolean =>
    [...SHAPES_WITH_DEFAULTS.keys()].some((key) => {
      const written = entriesOf(root, key);
      const has = (entry: unknown): boolean => isMap(entry) && Object.hasOwn(entry, name);
      return entriesOf(filled, key).some((entry, index) => has(entry) && !has(written[index]));
    });
  return isMap(defaults) ? Object.keys(defaults).filter((name) => !isTaken(name)) : [];
}
