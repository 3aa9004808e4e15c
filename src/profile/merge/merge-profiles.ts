import { copyPlace } from '../../diagnostics/places.js';
import { isMap } from '../../expression/is-map.js';
import { setOwn } from '../../expression/set-own.js';
import type { LookupLevel } from '../class-lookup.js';
import { ENTRY_LISTS } from '../schema/profile-schema.js';

/** A map of a profile as it was written. */
export type RawMap = Readonly<Record<string, unknown>>;

/** Not inherited: they are about the one file. */
const NOT_INHERITED: ReadonlySet<string> = new Set(['name', 'description', 'extends', 'plugins']);

const ENTRY_LIST_KEYS: ReadonlySet<string> = new Set(ENTRY_LISTS);

/** Which packs a `class` is looked up in: those of the file that wrote it, kept through the merging of files. */
export class ClassOrigins {
  readonly #levels = new WeakMap<object, readonly LookupLevel[]>();

  /** Every map under `data` that names a class was written in a file with these levels. */
  record(data: unknown, levels: readonly LookupLevel[]): void {
    if (typeof data !== 'object' || data === null) return;
    if (!Array.isArray(data) && Object.hasOwn(data, 'class')) this.#levels.set(data, levels);
    for (const value of Object.values(data)) this.record(value, levels);
  }

  levelsOf(entry: object): readonly LookupLevel[] | undefined {
    return this.#levels.get(entry);
  }

  /** A map that was merged has its class from the later one that names one. */
  inherit(merged: object, base: RawMap, over: RawMap): void {
    const levels = this.#levels.get(Object.hasOwn(over, 'class') ? over : base);
    if (levels) this.#levels.set(merged, levels);
  }
}

/** Sets a key, whatever its name is, with the place of where it comes from. */
function setWithPlace(
  to: Record<string, unknown>,
  key: string,
  value: unknown,
  from: object,
  fromKey: string | number,
): void {
  setOwn(to, key, value);
  copyPlace(from, fromKey, to, key);
}

/**
 * Lays one profile over another (`extends`): maps merge by key, entries by id, other lists replace. An entry without
 * `class` or `expr` amends the inherited one, with either it replaces it; inherited positions stay, new ids go last
 * or where `before` says. Nothing is appended twice.
 */
export function mergeProfiles(below: RawMap, over: RawMap, origins: ClassOrigins): RawMap {
  const merged: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(below))
    if (!NOT_INHERITED.has(key)) setWithPlace(merged, key, value, below, key);
  for (const [key, value] of Object.entries(over)) {
    const inherited = NOT_INHERITED.has(key) ? undefined : getOwn(merged, key);
    const base: unknown = ENTRY_LIST_KEYS.has(key) ? (inherited ?? []) : inherited;
    const list = ENTRY_LIST_KEYS.has(key) && Array.isArray(base) && Array.isArray(value);
    setWithPlace(merged, key, list ? mergeEntries(base, value, origins) : mergeValues(base, value, origins), over, key);
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

/** What of an entry inside a unit another use of it leaves nothing of: it is a class with its params, or an expression. */
function supersededKeys(base: RawMap, over: RawMap): readonly string[] {
  if (Object.hasOwn(over, 'expr')) return ['class', 'params'];
  if (!Object.hasOwn(over, 'class')) return [];
  const another = Object.hasOwn(base, 'class') && base['class'] !== over['class'];
  return another ? ['expr', 'params'] : ['expr'];
}

function mergeMaps(base: RawMap, over: RawMap, origins: ClassOrigins): RawMap {
  const merged: Record<string, unknown> = {};
  const gone = supersededKeys(base, over);
  for (const [key, value] of Object.entries(base)) if (!gone.includes(key)) setWithPlace(merged, key, value, base, key);
  for (const [key, value] of Object.entries(over))
    setWithPlace(merged, key, mergeValues(getOwn(merged, key), value, origins), over, key);
  origins.inherit(merged, base, over);
  return merged;
}

const idOf = (entry: unknown): unknown => (isMap(entry) ? getOwn(entry, 'id') : undefined);

/** An entry, and where it was written last. */
interface MergedEntry {
  entry: unknown;
  list: readonly unknown[];
  index: number;
}

function mergeEntries(base: readonly unknown[], over: readonly unknown[], origins: ClassOrigins): unknown[] {
  const items = base.map((entry, index): MergedEntry => ({ entry, list: base, index }));
  // Only what was there before: two of one id in one list are a mistake, which is not to be hidden by merging them.
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
