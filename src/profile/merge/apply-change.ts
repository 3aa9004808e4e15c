import { describeValue } from '../../diagnostics/describe-value.js';
import { didYouMean } from '../../diagnostics/did-you-mean.js';
import { copyPlaces } from '../../diagnostics/places.js';
import type { Problem } from '../../diagnostics/problem.js';
import { isMap } from '../../expression/is-map.js';
import { entryIds } from '../resolve/check-references.js';
import { ENTRY_LISTS } from '../schema/profile-schema.js';
import { type ClassOrigins, mergeProfiles, type RawMap } from './merge-profiles.js';

/** How a profile could have been otherwise. At least one of the three. */
export interface Change {
  /** Ids of entries that are not there: of any kind, rules included. */
  readonly without?: string | readonly string[];
  /** Other weights by the ids of weighted scorers, for every candidate: cases of `weights` give way to them. */
  readonly weights?: Readonly<Record<string, number>>;
  /** Params by the ids of entries, laid over the entries' own key by key. */
  readonly params?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The rule that `phase_profiles` makes. */
const PHASE_RULE_ID = 'phase';

/** The ids of the entries that a change leaves out or gives other params: a weight alone changes nothing in an entry. */
export const changedEntryIds = ({ without = [], params = {} }: Change): ReadonlySet<string> =>
  new Set([...[without].flat(), ...Object.keys(params)]);

/**
 * A profile's merged data with a change, as if a further file had extended it.
 *
 * @returns the data, and what is wrong with the change itself
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
  const amendment = (id: string, weighted: boolean): RawMap[] => {
    if (without.includes(id)) return [{ id, enabled: false }];
    const weight = weighted && Object.hasOwn(weights, id) ? { weight: weights[id] } : undefined;
    const own = Object.hasOwn(params, id) ? { params: params[id] } : undefined;
    return weight || own ? [{ id, ...weight, ...own }] : [];
  };
  const over = Object.fromEntries(
    ENTRY_LISTS.map((key) => [key, entryIds(root, key).flatMap((id) => amendment(id, key === 'tier2_scorers'))]),
  );
  const bare = without.includes(PHASE_RULE_ID) ? withoutKey(root, 'phase_profiles') : root;
  const free = withoutReranked(withoutCases(bare, weights, without), without);
  return { root: mergeProfiles(free, over, origins), problems };
}

/** A weight that is asked for holds whatever the case, and an entry that is not there has none. */
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

/** A rerank does not ask for what is not there; of one that asks nothing more, nothing is left. */
function withoutReranked(root: RawMap, without: readonly string[]): RawMap {
  const { rerank } = root;
  if (!isMap(rerank) || !Array.isArray(rerank['ask'])) return root;
  const ask = rerank['ask'].filter((id) => !without.includes(String(id)));
  if (ask.length === 0) return withoutKey(root, 'rerank');
  return withPlacesOf(root, { ...root, rerank: withPlacesOf(rerank, { ...rerank, ask }) });
}

const withoutKey = (root: RawMap, key: string): RawMap =>
  withPlacesOf(root, Object.fromEntries(Object.entries(root).filter(([other]) => other !== key)));

/** A map that stands where another was written. */
function withPlacesOf(root: RawMap, by: RawMap): RawMap {
  copyPlaces(root, by);
  return by;
}

function unknownIdProblems(what: string, id: string, known: readonly string[]): Problem[] {
  if (known.includes(id)) return [];
  const hint = didYouMean(id, known, `there is: ${known.join(', ')}`);
  return [{ code: 'ASZ205', message: `${what}: the profile has no ${id}`, hint }];
}

/** In plain JavaScript a change may be anything. */
function shapeProblems(change: Change): Problem[] {
  const wrong = (message: string, hint?: string): Problem[] => [{ code: 'ASZ202', message, hint }];
  if (!isMap(change)) return wrong(`a change is an object, and it is ${describeValue(change)}`);
  const keys = ['without', 'weights', 'params'];
  const stray = Object.keys(change).filter((key) => !keys.includes(key));
  if (stray.length > 0) {
    return stray.map((key) => {
      const hint = didYouMean(key, keys, `a change has ${keys.join(', ')}`);
      return { code: 'ASZ201', message: `unknown key ${key}`, hint };
    });
  }
  if (Object.keys(change).length === 0) return wrong('the change is empty', `a change has ${keys.join(', ')}`);
  const notIds = [change.without ?? []].flat().filter((id) => typeof id !== 'string');
  if (notIds.length > 0) return wrong(`without: expected ids, found ${describeValue(notIds[0])}`);
  const { weights = {}, params = {} } = change;
  if (!isMap(weights)) return wrong(`weights: expected a map, found ${describeValue(weights)}`);
  if (!isMap(params)) return wrong(`params: expected a map, found ${describeValue(params)}`);
  return Object.entries(weights).flatMap(([id, weight]) =>
    Number.isFinite(weight) ? [] : wrong(`weights: ${id} is ${describeValue(weight)}; expected a number`),
  );
}
