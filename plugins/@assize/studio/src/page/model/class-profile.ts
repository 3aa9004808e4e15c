import type { ProfileInput, Ranking } from 'assize/browser';
import { storedClass, type StoredKind } from '../../data/stored-units.js';
import type { StudioData } from '../../data/studio-data.js';
import { isJsonList, type JsonMap } from '../../save/data-edit.js';
import { type EntryList, entryIn, withoutKeys } from '../settings/structure.js';
import { entriesOf, type Entry, type Settings } from '../settings/settings.js';

/** The lists whose entries have stored results. Signals keep theirs, because they do not read candidates. */
const STORED: readonly (readonly [list: EntryList, kind: StoredKind])[] = [
  ['tier1_scorers', 'veto'],
  ['measures', 'scorer'],
  ['tier2_scorers', 'scorer'],
];

/** Keys that need files or other processes, which a page does not have. */
const NOT_HERE = ['memory', 'timeout', 'retries'];

/**
 * The profile of a page with its own classes instead of stored results, and with other params. Undefined if the page does
 * not have them, as in an exported page, or if no entry has a class.
 */
export function classProfile(data: StudioData, { params }: Pick<Settings, 'params'>): ProfileInput | undefined {
  const { profile, editing } = data;
  if (!editing) return undefined;
  let hasClass = false;
  const withClass = (entry: Entry, list: EntryList, kind: StoredKind): Entry | undefined => {
    const id = String(entry['id']);
    const own: JsonMap = entryIn(data, list, id) ?? {};
    if (own['class'] === undefined) return entry;
    if (entry['class'] !== storedClass(kind, id) && entry['class'] !== own['class']) return undefined;
    hasClass = true;
    return { ...withoutKeys(own, NOT_HERE), ...(params[id] && { params: { ...asMap(own['params']), ...params[id] } }) };
  };
  const lists: Partial<Record<EntryList, readonly Entry[]>> = {};
  for (const [list, kind] of STORED) {
    if (profile[list] === undefined) continue;
    const entries = entriesOf(profile, list).map((entry) => withClass(entry, list, kind));
    if (entries.includes(undefined)) return undefined;
    lists[list] = entries.filter((entry) => entry !== undefined);
  }
  const { plugins } = editing.document;
  return hasClass ? ({ ...profile, ...lists, ...(isJsonList(plugins) && { plugins }) } as ProfileInput) : undefined;
}

const asMap = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});

/**
 * How the ranking by the classes of the page agrees with that of the server: to the bit, or up to the rounding of functions
 * such as powers, which differs between browsers and Node.
 */
export type Agreement = 'same' | 'near' | 'other';

/** More than a few roundings add up to, for scores around 1. */
const ROUNDING = 1e-12;

/** Compares two rankings of the same candidates. */
export function agreementOf(a: Ranking<object>, b: Ranking<object>): Agreement {
  if (!isSame(refusedIn(a), refusedIn(b)) || !isSame(a.matrix.index, b.matrix.index)) return 'other';
  if (isSame(a.order, b.order) && isSame(a.matrix.totals, b.matrix.totals)) return 'same';
  return isSame(a.matrix.totals, b.matrix.totals, isNear) ? 'near' : 'other';
}

const isNear = (a: unknown, b: unknown): boolean =>
  Object.is(a, b) || Math.abs(Number(a) - Number(b)) <= ROUNDING * Math.max(1, Math.abs(Number(a)));

const refusedIn = ({ refused }: Ranking<object>): readonly string[] =>
  refused.map(({ index, by, kind }) => `${index} ${by} ${kind}`);

function isSame(a: ArrayLike<unknown>, b: ArrayLike<unknown>, isEqual = Object.is): boolean {
  if (a.length !== b.length) return false;
  for (let k = 0; k < a.length; k++) if (!isEqual(a[k], b[k])) return false;
  return true;
}
