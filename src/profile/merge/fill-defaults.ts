import { copyPlace, copyPlaces } from '../../diagnostics/index.js';
import { isMap } from '../../expression/index.js';
import { type ClassOrigins, hasPreparedClass } from '../class-lookup.js';
import { defaultsSchema, SHAPES_WITH_DEFAULTS } from '../schema/entry-schemas.js';
import { type RawMap, setWithPlace } from '../source/raw-profile.js';

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
