import { didYouMean, copyPlaces, describeValue, nameList, type Problem } from '../../base/index.js';
import { isMap } from '../../expression/index.js';
import type { ClassOrigins } from '../class-lookup.js';
import { ENTRY_LISTS, entryIds, type RawMap } from './raw-profile.js';
import { mergeProfiles } from './merge-profiles.js';

/** A change to a profile, for a what-if analysis. At least one key is required. */
export interface Change {
  /** The ids of entries or rules to disable. */
  readonly without?: string | readonly string[];
  /** New weights of scorers, by id. They apply to every candidate and override the cases of `weights`. */
  readonly weights?: Readonly<Record<string, number>>;
  /** New params of entries, by id. They are merged over the existing params key by key. */
  readonly params?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The id of the rule that `phase_profiles` generates. */
const PHASE_RULE_ID = 'phase';

/** The ids of the entries that a change disables or gives new params. A new weight alone does not change an entry. */
export const changedEntryIds = ({ without = [], params = {} }: Change): ReadonlySet<string> =>
  new Set([...[without].flat(), ...Object.keys(params)]);

/**
 * Applies a change to a profile's merged data, as if another file extended it.
 *
 * @returns the changed data, and the problems of the change itself
 */
export function applyChange(
  root: RawMap,
  change: Change,
  origins: ClassOrigins,
): { readonly root: RawMap; readonly problems: Problem[] } {
  const problems = shapeProblems(change);
  if (problems.length > 0) return { root, problems };
  const { weights = {}, params = {} } = change;
  const without = [change.without ?? []].flat();
  const known = [
    ...ENTRY_LISTS.flatMap((key) => entryIds(root, key)),
    ...(root['phase_profiles'] ? [PHASE_RULE_ID] : []),
  ];
  const scorers = entryIds(root, 'tier2_scorers');
  problems.push(
    ...without.flatMap((id) => unknownIdProblems('without', id, known)),
    ...Object.keys(weights).flatMap((id) => unknownIdProblems('weights', id, scorers)),
    ...Object.keys(params).flatMap((id) => unknownIdProblems('params', id, known)),
  );
  recordOrigins(root, params, origins);
  const changeOf = (id: string, weighted: boolean): RawMap[] => {
    if (without.includes(id)) return [{ id, enabled: false }];
    const weight = weighted && Object.hasOwn(weights, id) ? { weight: weights[id] } : undefined;
    const own = Object.hasOwn(params, id) ? { params: params[id] } : undefined;
    return weight || own ? [{ id, ...weight, ...own }] : [];
  };
  const over = Object.fromEntries(
    ENTRY_LISTS.map((key) => [key, entryIds(root, key).flatMap((id) => changeOf(id, key === 'tier2_scorers'))]),
  );
  const rules = without.includes(PHASE_RULE_ID) ? withoutKey(root, 'phase_profiles') : root;
  const base = withoutReranked(withoutCases(rules, weights, without), without);
  return { root: mergeProfiles(base, over, origins), problems };
}

/** Classes inside the new params of an entry are looked up like the entry's own class. */
function recordOrigins(root: RawMap, params: NonNullable<Change['params']>, origins: ClassOrigins): void {
  for (const entry of ENTRY_LISTS.flatMap((key) => root[key] ?? [])) {
    if (!isMap(entry) || typeof entry['id'] !== 'string' || !Object.hasOwn(params, entry['id'])) continue;
    const levels = origins.levelsOf(entry);
    if (levels) origins.record(params[entry['id']], levels);
  }
}

/** Removes scorers from `weights.cases` if the change disables them or sets their weight. */
function withoutCases(root: RawMap, weights: object, without: readonly string[]): RawMap {
  const own = root['weights'];
  if (!isMap(own) || !isMap(own['cases'])) return root;
  const cases = Object.entries(own['cases']).map(([name, byId]): [string, unknown] => [
    name,
    isMap(byId)
      ? Object.fromEntries(Object.entries(byId).filter(([id]) => !Object.hasOwn(weights, id) && !without.includes(id)))
      : byId,
  ]);
  return withPlacesOf(root, { ...root, weights: withPlacesOf(own, { ...own, cases: Object.fromEntries(cases) }) });
}

/** Removes disabled scorers from `rerank.ask`, and `rerank` itself if no scorer is left. */
function withoutReranked(root: RawMap, without: readonly string[]): RawMap {
  const { rerank } = root;
  if (!isMap(rerank) || !Array.isArray(rerank['ask'])) return root;
  const ask = rerank['ask'].filter((id) => !without.includes(String(id)));
  if (ask.length === 0) return withoutKey(root, 'rerank');
  return withPlacesOf(root, { ...root, rerank: withPlacesOf(rerank, { ...rerank, ask }) });
}

const withoutKey = (root: RawMap, key: string): RawMap =>
  withPlacesOf(root, Object.fromEntries(Object.entries(root).filter(([other]) => other !== key)));

/** Copies the places of the replaced map to its replacement. */
function withPlacesOf(replaced: RawMap, map: RawMap): RawMap {
  copyPlaces(replaced, map);
  return map;
}

function unknownIdProblems(what: string, id: string, known: readonly string[]): Problem[] {
  if (known.includes(id)) return [];
  const hint = didYouMean(id, known, `ids: ${nameList(known)}`);
  return [{ code: 'ASZ534', message: `${what}: the profile has no ${id}`, hint }];
}

/** Checks the types of a change at run time: JavaScript callers may pass anything. */
function shapeProblems(change: Change): Problem[] {
  const problem = (message: string, hint?: string): Problem[] => [{ code: 'ASZ533', message, hint }];
  if (!isMap(change)) return problem(`the change is ${describeValue(change)}; expected an object`);
  const keys = ['without', 'weights', 'params'];
  const unknown = Object.keys(change).filter((key) => !keys.includes(key));
  if (unknown.length > 0) {
    return unknown.map((key) => {
      const hint = didYouMean(key, keys, `keys: ${keys.join(', ')}`);
      return { code: 'ASZ533', message: `unknown key ${key}`, hint };
    });
  }
  if (Object.keys(change).length === 0) return problem('the change is empty', `keys: ${keys.join(', ')}`);
  const notIds = [change.without ?? []].flat().filter((id) => typeof id !== 'string');
  if (notIds.length > 0) return problem(`without: expected ids, found ${describeValue(notIds[0])}`);
  const { weights = {}, params = {} } = change;
  if (!isMap(weights)) return problem(`weights: expected a map, found ${describeValue(weights)}`);
  if (!isMap(params)) return problem(`params: expected a map, found ${describeValue(params)}`);
  return Object.entries(weights).flatMap(([id, weight]) =>
    Number.isFinite(weight) ? [] : problem(`weights: ${id} is ${describeValue(weight)}; expected a number`),
  );
}
