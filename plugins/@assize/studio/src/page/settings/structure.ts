import { PROFILE_KEYS, type StudioData } from '../../data/studio-data.js';
import {
  type DataEdit,
  type FileEdit,
  isJsonList,
  isJsonMap,
  type JsonData,
  type JsonMap,
  type Step,
  valueAt,
  scalarText,
} from '../../save/data-edit.js';
import { isOn, LISTS, NOTHING_SET, type Settings, withToggle } from './settings.js';

/** A list of a profile whose entries can be added and removed. */
export type EntryList = (typeof LISTS)[number];

/** A list of a profile whose entries have ids. Those that are not an `EntryList` cannot be switched in the recipe. */
export type NamedList = EntryList | 'signals' | 'strategies' | 'report';

const isSwitched = (list: NamedList): list is EntryList => (LISTS as readonly string[]).includes(list);

/**
 * The settings with more structural edits. An edit of a path replaces the last one of the same path, and other settings of
 * the same value, which would override it.
 */
export const withFileEdits = (settings: Settings, edits: readonly FileEdit[]): Settings => ({
  ...edits.reduce(withoutOverriding, settings),
  edits: edits.reduce(withOne, settings.edits),
});

/** The settings without a weight, param, switch or limit that an edit sets. */
function withoutOverriding(settings: Settings, edit: FileEdit): Settings {
  if ('text' in edit) return NOTHING_SET;
  const [list, step, key, name] = edit.path;
  const { top, minScore, ...rest } = settings;
  if (list === 'select' && step === 'top') return { ...rest, ...(minScore !== undefined && { minScore }) };
  if (list === 'select' && step === 'min_score') return { ...rest, ...(top !== undefined && { top }) };
  if (list === 'weights') return { ...settings, cases: casesWithout(settings.cases, edit.path.slice(2)) };
  if (typeof step !== 'object') return settings;
  const { id } = step;
  const { [id]: params = {}, ...others } = settings.params;
  const kept = key === 'params' && typeof name === 'string' ? without(params, name) : key === undefined ? {} : params;
  const isOf = (wanted: string): boolean => key === undefined || key === wanted;
  return {
    ...settings,
    params: Object.keys(kept).length === 0 ? others : { ...others, [id]: kept },
    weights: isOf('weight') ? without(settings.weights, id) : settings.weights,
    off: isOf('enabled') ? settings.off.filter((one) => one !== id) : settings.off,
    on: isOf('enabled') ? settings.on.filter((one) => one !== id) : settings.on,
  };
}

/** The weights by case without those at a path: a weight of a case, a case, or all. */
function casesWithout(cases: Settings['cases'], [name, id]: readonly Step[]): Settings['cases'] {
  if (typeof name !== 'string') return {};
  return typeof id === 'string' && cases[name] ? { ...cases, [name]: without(cases[name], id) } : without(cases, name);
}

function withOne(edits: readonly FileEdit[], edit: FileEdit): readonly FileEdit[] {
  if ('text' in edit) return [edit]; // whatever was set before it is gone
  if ('remove' in edit) return [...edits, edit];
  const same = edits.findLastIndex((one) => 'value' in one && isSamePath(one.path, edit.path));
  // An edit of another part may depend on the order.
  const isLast = same >= 0 && edits.slice(same + 1).every((one) => 'value' in one && !isWithin(one.path, edit.path));
  return isLast ? edits.with(same, edit) : [...edits, edit];
}

const isSamePath = (a: readonly Step[], b: readonly Step[]): boolean => JSON.stringify(a) === JSON.stringify(b);

const isWithin = (path: readonly Step[], outer: readonly Step[]): boolean =>
  path.length >= outer.length && isSamePath(path.slice(0, outer.length), outer);

/** The settings without an entry: removed if it is the file's own, switched off if it is inherited. */
export function withoutEntry(model: Drafted, list: NamedList, id: string): Settings {
  const { data, saved, settings } = model;
  if (data.editing?.origins[list]?.[id] !== 'own') {
    if (!isSwitched(list)) return withFileEdits(settings, [{ path: [list, { id }, 'enabled'], value: false }]);
    const entry = entryIn(data, list, id);
    return entry && isOn(settings, entry) ? withToggle(settings, entry) : settings;
  }
  const path = [list, { id }];
  const isSaved = saved.editing?.origins[list]?.[id] !== undefined;
  const hasText = settings.edits.some((edit) => 'text' in edit);
  const others = settings.edits.filter((edit) => 'text' in edit || !isWithin(edit.path, path));
  return {
    ...settings,
    edits: isSaved || hasText ? [...settings.edits, { path, remove: true }] : others,
    weights: without(settings.weights, id),
    params: without(settings.params, id),
    off: settings.off.filter((one) => one !== id),
    on: settings.on.filter((one) => one !== id),
  };
}

/**
 * The settings without a part of the profile, such as `select.per`: the edits that added it are dropped, and a part of the
 * file is removed.
 */
export function withoutPathEdits(
  model: { readonly saved: StudioData; readonly settled: Settings },
  path: readonly string[],
): Settings {
  const { saved, settled } = model;
  const [key = '', inner] = path;
  const origins = saved.editing?.origins[inner === undefined ? PROFILE_KEYS : key];
  const origin = origins?.[inner ?? key];
  const hasText = settled.edits.some((edit) => 'text' in edit);
  if (hasText) return withFileEdits(settled, [{ path, remove: true }]);
  const others = settled.edits.filter((edit) => 'text' in edit || !isWithin(edit.path, path));
  const isInFile = origin !== undefined && origin !== 'inherited';
  return withFileEdits({ ...settled, edits: others }, isInFile ? [{ path, remove: true }] : []);
}

/** What the helpers of this file read of a model. */
export interface Drafted {
  /** Of the profile with the structural edits. */
  readonly data: StudioData;
  /** Of the profile in the file. */
  readonly saved: StudioData;
  readonly settings: Settings;
}

/** A map without some keys. */
export const withoutKeys = (map: JsonMap, keys: readonly string[]): JsonMap =>
  Object.fromEntries(Object.entries(map).filter(([key]) => !keys.includes(key)));

const without = <V>(map: Readonly<Record<string, V>>, id: string): Readonly<Record<string, V>> =>
  Object.fromEntries(Object.entries(map).filter(([key]) => key !== id));

/** An entry of the merged profile, with its class and params; undefined if it does not exist. */
export function entryIn({ editing }: StudioData, list: NamedList, id: string): JsonMap | undefined {
  const entry = valueAt(editing?.document, [list, { id }]);
  return isJsonMap(entry) ? entry : undefined;
}

/** The selection of the merged profile. */
export function selectionIn({ editing }: StudioData): JsonMap {
  const select = editing?.document['select'];
  return isJsonMap(select) ? select : {};
}

/**
 * The edits that make an entry another one. A new class or expression of an inherited entry replaces the whole entry,
 * because the merge drops its other keys.
 */
export function entryEdits(
  data: StudioData,
  list: NamedList,
  before: JsonMap | undefined,
  after: JsonMap,
): readonly FileEdit[] {
  const id = scalarText(after['id']);
  const path = [list, { id }];
  if (!before) return [{ path, value: after }];
  const differs = (key: string): boolean => JSON.stringify(before[key]) !== JSON.stringify(after[key]);
  const isOwn = data.editing?.origins[list]?.[id] === 'own';
  if (!isOwn && (differs('class') || differs('expr'))) return [{ path, value: after }];
  const set = Object.keys(after).filter(differs);
  const removed = isOwn ? Object.keys(before).filter((key) => !Object.hasOwn(after, key)) : [];
  return [
    ...set.flatMap((key) => valueEdits([...path, key], before[key], after[key]!)),
    ...removed.map((key): FileEdit => ({ path: [...path, key], remove: true })),
  ];
}

/** The edits that make a map another one, key by key, if it only gains or changes keys; else of the whole value. */
function valueEdits(path: readonly Step[], before: JsonData | undefined, after: JsonData): readonly DataEdit[] {
  if (!isJsonMap(before) || !isJsonMap(after) || Object.keys(before).some((key) => !Object.hasOwn(after, key))) {
    return [{ path, value: after }];
  }
  return Object.entries(after).flatMap(([key, value]) =>
    JSON.stringify(before[key]) === JSON.stringify(value) ? [] : valueEdits([...path, key], before[key], value),
  );
}

/** Whether the file itself has all of a value; false if a profile that it extends has a part of it. */
export function isOwnAt({ editing }: StudioData, [key, step]: readonly Step[]): boolean {
  const name = typeof step === 'object' ? step.id : step;
  if (typeof key !== 'string') return true;
  const inKey = editing?.origins[key];
  const origin = inKey && name !== undefined ? inKey[name] : editing?.origins[PROFILE_KEYS]?.[key];
  return origin === undefined || origin === 'own';
}

/** Replaces an inherited limit, which cannot be removed: it has no effect. */
export const NO_LIMIT = 1_000_000_000;

/** The edit of a key of `select`; undefined removes it. */
export const selectEdit = (key: string, value: JsonData | undefined): FileEdit =>
  value === undefined ? { path: ['select', key], remove: true } : { path: ['select', key], value };

/** Names that expressions give another meaning, so that entries cannot have them. */
const RESERVED = new Set(
  [
    'candidate context signals measures now score scores input generated vetoed failed strategies combine stats',
    'true false null in as break const continue else for function if import let loop package namespace return var void',
    'while place',
  ].flatMap((words) => words.split(' ')),
);

/** An id for a new entry, from a name: `IMDB Rating` gives `imdb_rating`, or `imdb_rating_2` if that is used. */
export function freeId({ editing }: StudioData, name: string): string {
  const used = new Set(
    Object.values(editing?.document ?? {}).flatMap((list) =>
      isJsonList(list) ? list.flatMap((one) => (isJsonMap(one) ? [scalarText(one['id'])] : [])) : [],
    ),
  );
  const words = name
    .normalize('NFKD')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 40);
  const base = /^[a-z]/.test(words) ? words : `entry${words === '' ? '' : `_${words}`}`;
  for (let n = 1; ; n++) {
    const id = n === 1 ? base : `${base}_${n}`;
    if (!used.has(id) && !RESERVED.has(id)) return id;
  }
}
