import { copyPlace, type DataPath, locate, describeValue, type Problem, toError } from '../../base/index.js';
import { isMap, setOwn } from '../../expression/index.js';
import { MAX_DEPTH } from '../../data/index.js';
import type { ProfileLimits } from '../trust.js';

/** A map of a profile as it was written. */
export type RawMap = Readonly<Record<string, unknown>>;

/** The lists whose entries merge by id under `extends`. */
export const ENTRY_LISTS = [
  'signals',
  'strategies',
  'tier1_scorers',
  'measures',
  'tier2_scorers',
  'adjustments',
  'report',
] as const;

/** The key under which a profile may nest the keys of its root. */
export const SCORING_KEY = 'scoring';

/** Reports a problem at a path of the data, with its place if the profile came from a file. */
export type ProblemReporter = (
  code: Problem['code'],
  message: string,
  path: DataPath,
  hint?: string,
  at?: 'key' | 'value',
) => void;

/** A path as shown in messages: `tier2_scorers[0].params.field`. */
export const formatDataPath = (path: DataPath): string =>
  path.reduce<string>((text, key) => (typeof key === 'number' ? `${text}[${key}]` : text ? `${text}.${key}` : key), '');

/** Sets a key of any name, `__proto__` included, and copies the place of its source. */
export function setWithPlace(
  to: Record<string, unknown>,
  key: string,
  value: unknown,
  from: object,
  fromKey: string | number = key,
): void {
  setOwn(to, key, value);
  copyPlace(from, fromKey, to, key);
}

/** An entry as written, its position in its list, and its id. */
type RawEntry = readonly [entry: RawMap, index: number, id: string];

/** The entries of a list that have an id, even if they are malformed. */
export function rawEntries(root: RawMap, key: string): RawEntry[] {
  const list = root[key];
  return (Array.isArray(list) ? list : []).flatMap((entry: unknown, index): RawEntry[] =>
    isMap(entry) && typeof entry['id'] === 'string' ? [[entry, index, entry['id']]] : [],
  );
}

export const enabledRawEntries = (root: RawMap, key: string): RawEntry[] =>
  rawEntries(root, key).filter(([entry]) => entry['enabled'] !== false);

/** The ids of a list, including those of malformed entries: references to them are valid. */
export const entryIds = (root: RawMap, key: string): string[] => rawEntries(root, key).map(([, , id]) => id);

/** The ids of a list without those of disabled entries. */
export const enabledEntryIds = (root: RawMap, key: string): string[] =>
  enabledRawEntries(root, key).map(([, , id]) => id);

/** The phases by name, including malformed ones. */
export const rawPhases = (root: RawMap): RawMap | undefined => (isMap(root['phases']) ? root['phases'] : undefined);

/**
 * Whether data is a tree. An object from a caller may contain itself and could then be neither merged nor printed. Reports
 * the key `__proto__` at every depth, even in the free data of a strategy: code that copies maps often drops it silently.
 *
 * @param most the most values that it may have, maps and lists included
 */
export function checkTree(data: RawMap, most: number, report: ProblemReporter): boolean {
  const open = new Set<unknown>();
  let values = 0;
  let unreadable = false;
  const readEntries = (value: object, path: DataPath): [string, unknown][] => {
    try {
      return Object.entries(value);
    } catch (error) {
      unreadable = true;
      report('ASZ202', `the value cannot be read: ${toError(error).message}`, path);
      return [];
    }
  };
  const visit = (value: unknown, path: DataPath): DataPath | undefined => {
    values += 1;
    if (typeof value !== 'object' || value === null || values > most) return undefined;
    if (open.has(value) || open.size > MAX_DEPTH) return path;
    open.add(value);
    for (const [key, item] of readEntries(value, path)) {
      const below = [...path, Array.isArray(value) ? Number(key) : key];
      if (key === '__proto__') report('ASZ204', 'the name __proto__ is reserved', below, undefined, 'key');
      const tooDeep = visit(item, below);
      if (tooDeep !== undefined) return tooDeep;
    }
    open.delete(value);
    return undefined;
  };
  const tooDeep = visit(data, []);
  if (unreadable) return false;
  if (values > most) {
    report('ASZ202', `the profile has more than ${most} values`, [], 'data goes into the candidates or the context');
    return false;
  }
  if (tooDeep === undefined) return true;
  report('ASZ202', `the profile contains itself, or is nested more than ${MAX_DEPTH} deep`, tooDeep);
  return false;
}

/** Reports lists that are too long. Returns false if there are any. */
export function checkLengths(data: RawMap, { entries, references }: ProfileLimits, report: ProblemReporter): boolean {
  const most = new Map<string, number>([
    ...[...ENTRY_LISTS, 'fallback'].map((key) => [key, entries] as const),
    ['extends', references],
    ['plugins', references],
  ]);
  let fits = true;
  for (const [key, limit] of most) {
    const list = data[key];
    if (!Array.isArray(list) || list.length <= limit) continue;
    report('ASZ202', `expected at most ${limit} in ${key}, found ${list.length}`, [key]);
    fits = false;
  }
  return fits;
}

/** Reports ids that occur twice in one list of one file. An inherited id may be repeated. */
export function checkUniqueIds(data: RawMap, report: ProblemReporter): void {
  for (const key of ENTRY_LISTS) {
    const list = data[key];
    if (!Array.isArray(list)) continue;
    const seen = new Map<unknown, number>();
    for (const [index, entry] of list.entries()) {
      const id: unknown = isMap(entry) ? entry['id'] : undefined;
      if (id === undefined) continue;
      const first = seen.get(id);
      if (first === undefined) seen.set(id, index);
      else {
        const hint = `entry ${first + 1} of ${key} has this id`;
        const shown = typeof id === 'string' || typeof id === 'number' ? JSON.stringify(id) : describeValue(id);
        report('ASZ203', `the id ${shown} is taken`, [key, index, 'id'], hint);
      }
    }
  }
}

/**
 * Moves the keys under `scoring:` to the root, each with its own place. A key in both places is reported, because the
 * intended one is unknown.
 */
export function unnestScoring(data: RawMap, report: ProblemReporter): RawMap {
  if (!Object.hasOwn(data, SCORING_KEY)) return data;
  const { [SCORING_KEY]: inside, ...root } = data;
  if (!isMap(inside)) {
    const hint = 'scoring contains the same keys as the root of a profile';
    report('ASZ202', `expected a map, found ${describeValue(inside)}`, [SCORING_KEY], hint);
    return root;
  }
  const unnested: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(root)) setWithPlace(unnested, key, value, data);
  for (const [key, value] of Object.entries(inside)) {
    if (Object.hasOwn(root, key)) {
      const other = locate(data, [key], 'key');
      const where = other ? `at ${other.file}:${other.line}:${other.column}` : 'at the root';
      const hint = `keep it here, or ${where}`;
      report('ASZ515', `${key} is both under ${SCORING_KEY} and at the root`, [SCORING_KEY, key], hint, 'key');
    } else setWithPlace(unnested, key, value, inside);
  }
  return unnested;
}
