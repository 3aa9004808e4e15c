import { CELL_STATES, type ProfileInput, type Ranking } from 'assize/browser';
import { storedClass } from '../../data/stored-units.js';
import type { StoredScores } from '../../data/studio-data.js';
import { type Entry, entriesOf } from '../settings/settings.js';

/** A profile in which scores that are known are not computed again. */
export interface KnownScores {
  readonly profile: ProfileInput;
  readonly scores: Readonly<Record<string, StoredScores>>;
}

/** What computes a score, and is not needed if the score is known. */
const OF_SCORE = ['expr', 'class', 'params'];

/**
 * Replaces the criteria and measures of a profile by their scores in a ranking by the same profile with other params of
 * some criteria. Undefined if these may change other scores: criteria do not, unless they refuse candidates.
 *
 * @param changed the entries with other params
 */
export function withKnownScores(
  profile: ProfileInput,
  ranking: Ranking<object>,
  changed: ReadonlySet<string>,
): KnownScores | undefined {
  const criteria = new Set(entriesOf(profile, 'tier2_scorers').map(({ id }) => String(id)));
  if ([...changed].some((id) => !criteria.has(id)) || ranking.refused.some(({ by }) => criteria.has(by))) {
    return undefined;
  }
  const scores: Record<string, StoredScores> = {};
  const withScores = (entry: Entry): Entry => {
    const id = String(entry['id']);
    const values = changed.has(id) || entry['enabled'] === false ? undefined : valuesOf(ranking, id);
    if (!values) return entry;
    scores[id] = { values, failures: {} };
    const rest = Object.fromEntries(Object.entries(entry).filter(([key]) => !OF_SCORE.includes(key)));
    return { ...rest, id, class: storedClass('scorer', id) };
  };
  const lists = (['measures', 'tier2_scorers'] as const).flatMap((list) =>
    profile[list] === undefined ? [] : [[list, entriesOf(profile, list).map(withScores)]],
  );
  return { profile: { ...profile, ...Object.fromEntries(lists) } as ProfileInput, scores };
}

const known = new WeakMap<Ranking<object>, Map<string, StoredScores['values'] | undefined>>();

/** The same, read once for each entry of a ranking. */
function valuesOf(ranking: Ranking<object>, id: string): StoredScores['values'] | undefined {
  const own = known.get(ranking) ?? new Map<string, StoredScores['values'] | undefined>();
  known.set(ranking, own);
  if (!own.has(id)) own.set(id, readValues(ranking, id));
  return own.get(id);
}

/** The scores of an entry by position; undefined if the ranking has none, or changed or failed ones. */
function readValues({ matrix }: Ranking<object>, id: string): StoredScores['values'] | undefined {
  if (!matrix.entries.includes(id)) return undefined;
  const { values, resolved, states } = matrix.column(id);
  const all: (number | null)[] = [];
  for (const [row, index] of matrix.index.entries()) {
    const value = values[row]!;
    const isPlain = Number.isNaN(value) || Number.isNaN(resolved[row]!) || resolved[row] === value;
    if (!isPlain || CELL_STATES[states[row]!] === 'failed') return undefined;
    all[index] = Number.isNaN(value) ? null : value;
  }
  return all;
}
