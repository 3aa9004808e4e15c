import { copyPlace, copyPlaces } from '../../base/index.js';
import { compilePath, FieldNames, formatPath, PathError, type PathStep, isMap } from '../../expression/index.js';
import { type ClassOrigins, hasPreparedClass } from '../class-lookup.js';
import { defaultsSchema, SHAPES_WITH_DEFAULTS } from '../schema/entry-schemas.js';
import { ENTRY_LISTS, type RawMap, setWithPlace } from './raw-profile.js';

/** Keys that describe one file. They are not inherited. */
const NOT_INHERITED: ReadonlySet<string> = new Set(['name', 'description', 'extends', 'plugins']);

/** Maps whose keys are names that the user chooses. The value of a name is replaced, not merged. */
const NAMED_MAPS: ReadonlySet<string> = new Set(['let', 'stats']);

const ENTRY_LIST_KEYS: ReadonlySet<string> = new Set(ENTRY_LISTS);

/**
 * Merges one profile over another (`extends`): maps merge by key, entries by id, other lists are replaced. An entry
 * without `class` and `expr` changes keys of the inherited entry; with either it replaces that entry. Inherited entries
 * keep their position. New entries go last, or before the entry that `before` names.
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
        : NAMED_MAPS.has(key)
          ? mergeNamed(base, value)
          : list
            ? mergeEntries(base, value, origins)
            : mergeValues(base, value, origins);
    setWithPlace(merged, key, whole, over);
  }
  return merged;
}

function mergeNamed(base: unknown, over: unknown): unknown {
  if (!isMap(base) || !isMap(over)) return over;
  const merged: Record<string, unknown> = {};
  for (const map of [base, over])
    for (const [name, value] of Object.entries(map)) setWithPlace(merged, name, value, map);
  return merged;
}

const getOwn = (map: RawMap, key: string): unknown => (Object.hasOwn(map, key) ? map[key] : undefined);

/** Maps with different `type` or `name` are not merged, since their keys differ. */
const isDifferentVariant = (base: RawMap, over: RawMap): boolean =>
  ['type', 'name'].some((key) => Object.hasOwn(base, key) && Object.hasOwn(over, key) && base[key] !== over[key]);

function mergeValues(base: unknown, over: unknown, origins: ClassOrigins): unknown {
  return isMap(base) && isMap(over) && !isDifferentVariant(base, over) ? mergeMaps(base, over, origins) : over;
}

/** The inherited keys that an override drops: an entry has a class with params, or an expression with a range. */
function supersededKeys(base: RawMap, over: RawMap): readonly string[] {
  if (Object.hasOwn(over, 'expr')) return ['class', 'params', 'range'];
  if (!Object.hasOwn(over, 'class')) return [];
  const another = Object.hasOwn(base, 'class') && base['class'] !== over['class'];
  return another ? ['expr', 'range', 'params'] : ['expr', 'range'];
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

/** A merged entry, with the list and position of its last version. */
interface MergedEntry {
  entry: unknown;
  list: readonly unknown[];
  index: number;
}

function mergeEntries(base: readonly unknown[], over: readonly unknown[], origins: ClassOrigins): unknown[] {
  const items = base.map((entry, index): MergedEntry => ({ entry, list: base, index }));
  // Merging only with entries of the base: two entries with the same id in one list are a mistake and must stay visible.
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
 * Merges `fields`. If the base maps `content: text` and the profile over it maps `text: body`, the base's entry becomes
 * `content: body`.
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

/** The steps of a path; undefined if it is invalid, which resolving the profile reports. */
function stepsOf(text: unknown): readonly PathStep[] | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    return compilePath(text).steps;
  } catch (error) {
    if (error instanceof PathError) return undefined;
    throw error;
  }
}

/** The lists whose entries can always time out. Entries of other lists can time out only in `prepare`. */
const ALWAYS_TIMED: ReadonlySet<string> = new Set(['signals', 'report']);

/**
 * Fills the profile's `defaults` into the missing keys of each entry, with the places of the defaults. An entry gets only
 * the keys and values that are valid for its kind, and a `timeout` only if it has `prepare`. Entries inside params get no
 * defaults: the class around them defines the meaning of missing keys.
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

function withDefaults(entry: RawMap, names: readonly string[], defaults: RawMap, origins: ClassOrigins): RawMap {
  const copy: Record<string, unknown> = { ...entry };
  for (const name of names) setWithPlace(copy, name, defaults[name], defaults);
  copyPlaces(entry, copy);
  origins.inherit(copy, entry, entry);
  return copy;
}

/** The keys of a profile's `defaults` that no entry uses. */
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
