import type { ProfileInput } from 'assize/browser';
import { isSameParam, type ParamValue } from '../../data/studio-data.js';
import type { DataEdit, FileEdit } from '../../save/data-edit.js';

/** What a person has set in the page, beside what the profile says. */
export interface Settings {
  /**
   * Edits of the file's text that change its structure, in order: added and removed entries, expressions, keys of `select`.
   * They make a draft of the profile; the other settings are relative to the draft.
   */
  readonly edits: readonly FileEdit[];
  /** Weights by the ids of scorers, where they differ from the profile's. */
  readonly weights: Readonly<Record<string, number>>;
  /** The same by case of the profile's `weights`. */
  readonly cases: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Params by the ids of entries. */
  readonly params: Readonly<Record<string, Readonly<Record<string, ParamValue>>>>;
  /** The ids of entries and rules that are switched off. */
  readonly off: readonly string[];
  /** The ids of those that the profile has switched off, and that are on. */
  readonly on: readonly string[];
  readonly top?: number;
  readonly minScore?: number;
}

/** Nothing is set. */
export const NOTHING_SET: Settings = { edits: [], weights: {}, cases: {}, params: {}, off: [], on: [] };

/** Whether settings say nothing. */
export const isNothing = ({ edits, weights, cases, params, off, on, top, minScore }: Settings): boolean =>
  [edits, weights, cases, params, off, on].every((part) => Object.keys(part).length === 0) &&
  top === undefined &&
  minScore === undefined;

/** The settings with a param of an entry; without it, where that is what the profile writes. */
export function withParam(
  settings: Settings,
  id: string,
  name: string,
  value: ParamValue,
  written: ParamValue,
): Settings {
  const { [id]: { [name]: _, ...own } = {}, ...others } = settings.params;
  const next = isSameParam(value, written) ? own : { ...own, [name]: value };
  return { ...settings, params: Object.keys(next).length === 0 ? others : { ...others, [id]: next } };
}

/** Of an entry: what says whether it is in the ranking. */
export interface Switch {
  readonly id?: unknown;
  readonly class?: unknown;
  readonly enabled?: unknown;
}

/** Whether an entry is in the ranking. */
export const isOn = ({ off, on }: Settings, { id, enabled }: Switch): boolean =>
  enabled === false ? on.includes(String(id)) : !off.includes(String(id));

/** The settings with an entry switched off, or on again. */
export function withToggle(settings: Settings, { id, enabled }: Switch): Settings {
  const key = enabled === false ? 'on' : 'off';
  const ids = settings[key];
  return { ...settings, [key]: ids.includes(String(id)) ? ids.filter((one) => one !== id) : [...ids, String(id)] };
}

/** An entry of a profile, as it is written. */
export type Entry = Readonly<Record<string, unknown>>;

/** The lists of a profile whose entries can be changed in a page. */
export const LISTS = ['tier1_scorers', 'measures', 'tier2_scorers', 'adjustments'] as const;

/** The entries of a list of a profile. */
export const entriesOf = (profile: ProfileInput, list: (typeof LISTS)[number]): readonly Entry[] =>
  (profile[list] as readonly Entry[] | undefined) ?? [];

/** Whether the profile has weights by case: then those hold before an entry's own. */
export const hasCases = (profile: ProfileInput): boolean => Object.keys(casesOf(profile)).length > 0;

/**
 * The edits for settings that only the server can rank by: params, switching on entries with a class, and switching off
 * entries that have refused candidates, which the page has no scores of, or measures, which the classes may read.
 */
export function remoteEdits(
  profile: ProfileInput,
  { params, off, on }: Settings,
  refusers: ReadonlySet<string>,
): readonly FileEdit[] {
  const ofClass = LISTS.flatMap((list) => entriesOf(profile, list)).filter((entry) => entry['class'] !== undefined);
  const added = ofClass.map(({ id }) => String(id)).filter((id) => on.includes(id));
  const measures = new Set(entriesOf(profile, 'measures').map(({ id }) => String(id)));
  const without = off.some((id) => refusers.has(id) || measures.has(id)) ? off : [];
  return editsOf(profile, { ...NOTHING_SET, params, off: without, on: added });
}

/** The weights by case that the profile writes. */
export const casesOf = (profile: ProfileInput): Readonly<Record<string, Readonly<Record<string, number>>>> =>
  (profile.weights as { cases?: Record<string, Record<string, number>> } | undefined)?.cases ?? {};

/** The profile that a person would have written: the page's, with what is set. */
export function profileWith(profile: ProfileInput, settings: Settings): ProfileInput {
  const { weights, cases, top, minScore } = settings;
  const lists = LISTS.flatMap((list) => {
    if (profile[list] === undefined) return [];
    const entries = entriesOf(profile, list).map((entry) => {
      const id = String(entry['id']);
      const weight = list === 'tier2_scorers' ? weights[id] : undefined;
      return { ...entry, ...(weight !== undefined && { weight }), enabled: isOn(settings, entry) };
    });
    return [[list, entries]];
  });
  const written = casesOf(profile);
  const merged = Object.fromEntries(Object.entries(written).map(([name, own]) => [name, { ...own, ...cases[name] }]));
  return {
    ...profile,
    ...Object.fromEntries(lists),
    ...(hasCases(profile) && { weights: { ...(profile.weights as object), cases: merged } }),
    ...((top !== undefined || minScore !== undefined) && {
      select: {
        ...profile.select,
        ...(top !== undefined && { top }),
        ...(minScore !== undefined && { min_score: minScore }),
      },
    }),
  } as ProfileInput;
}

/**
 * The settings as edits of the profile's file. Settings of entries that the profile does not have are skipped.
 *
 * @param profile the profile with the structural edits
 */
export function editsOf(
  profile: ProfileInput,
  { edits, weights, cases, params, off, on, top, minScore }: Settings,
): readonly FileEdit[] {
  const lists = new Map(LISTS.flatMap((list) => entriesOf(profile, list).map(({ id }) => [String(id), list] as const)));
  const entryEdit = (id: string, keys: readonly string[], value: DataEdit['value']): readonly DataEdit[] => {
    const list = lists.get(id);
    return list === undefined ? [] : [{ path: [list, { id }, ...keys], value }];
  };
  return [
    ...edits,
    ...Object.entries(weights).flatMap(([id, value]) => entryEdit(id, ['weight'], value)),
    ...Object.entries(cases).flatMap(([name, own]) =>
      Object.entries(own).map(([id, value]): DataEdit => ({ path: ['weights', 'cases', name, id], value })),
    ),
    ...Object.entries(params).flatMap(([id, own]) =>
      Object.entries(own).flatMap(([name, value]) => entryEdit(id, ['params', name], value)),
    ),
    ...off.flatMap((id) => entryEdit(id, ['enabled'], false)),
    ...on.flatMap((id) => entryEdit(id, ['enabled'], true)),
    ...(top === undefined ? [] : [{ path: ['select', 'top'], value: top }]),
    ...(minScore === undefined ? [] : [{ path: ['select', 'min_score'], value: minScore }]),
  ];
}
