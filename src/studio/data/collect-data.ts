import { CELL_STATES, type Context, type Ranking } from '../../index.js';
import { collectCurves } from './collect-curves.js';
import { isMap, type ProfileDocument } from './profile-document.js';
import { pageSelection } from './page-selection.js';
import { storedClass, type StoredKind } from './stored-units.js';
import type { StoredRefusals, StoredScores, StoredSignal, StudioData } from './studio-data.js';

/** What a page cannot have, or has no use for. */
const LEFT_OUT = {
  strategies: 'strategies make no candidates',
  fallback: 'there is no fallback',
  report: 'there are no reports',
  rerank: 'every scorer scores every candidate: there is no rerank',
} as const;

/** Of an entry: what says how its class computes, and not what its result counts for. */
const OF_THE_CLASS = ['params', 'memory', 'timeout', 'retries'] as const;

/** What the page of a studio shows and weighs again. */
export interface RankedInput {
  readonly title: string;
  /** The profile with all that it extends. */
  readonly profile: ProfileDocument;
  /** Of all candidates by all scorers: without pruning. */
  readonly ranking: Ranking<object>;
  readonly candidates: readonly object[];
  readonly context: Context;
}

/**
 * A ranking as data for a page: the numbers that classes gave, and the rest of the profile as it is written. What the
 * page ranks by it is, to the last bit, what was ranked here.
 */
export function collectData({
  title,
  profile,
  ranking,
  candidates,
  context,
}: RankedInput): Omit<StudioData, 'file' | 'controls'> {
  const scores: Record<string, StoredScores> = {};
  const refusals: Record<string, StoredRefusals> = {};
  const signals: Record<string, StoredSignal> = {};
  const units: Record<string, string> = {};
  const stored = (kind: StoredKind, list: unknown, store: (id: string) => void): unknown =>
    Array.isArray(list)
      ? list.map((entry: unknown) => (isMap(entry) ? storedEntry(kind, entry, units, store) : entry))
      : list;
  const page: Record<string, unknown> = { ...profile };
  const notes = Object.entries(LEFT_OUT).flatMap(([key, note]) => {
    const isThere = Object.hasOwn(page, key);
    delete page[key];
    return isThere ? [note] : [];
  });
  const selection = pageSelection(profile);
  page['plugins'] = selection.plugins;
  if (isMap(profile['select'])) page['select'] = selection.select;
  for (const key of ['measures', 'tier2_scorers']) {
    page[key] = stored(
      'scorer',
      profile[key],
      (id) => void (scores[id] = storedScores(ranking, id, candidates.length)),
    );
  }
  page['tier1_scorers'] = stored(
    'veto',
    profile['tier1_scorers'],
    (id) => void (refusals[id] = storedRefusals(ranking, id)),
  );
  page['signals'] = stored(
    'signal',
    profile['signals'],
    (id) => void (signals[id] = { value: ranking.signals.get(id) }),
  );
  const unused = Object.keys(page).filter((key) => page[key] === undefined);
  for (const key of unused) delete page[key];
  const now = context['now'] ?? ranking.now;
  return {
    title,
    profile: page,
    scores,
    refusals,
    signals,
    units,
    curves: collectCurves(profile, ranking, candidates),
    context: { ...context, now },
    candidates,
    notes: [...notes, ...selection.notes],
  };
}

/** An entry of a class as one whose results are stored; any other as it is. */
function storedEntry(
  kind: StoredKind,
  entry: ProfileDocument,
  units: Record<string, string>,
  store: (id: string) => void,
): ProfileDocument {
  const { id, class: name, ...rest } = entry;
  if (typeof id !== 'string' || typeof name !== 'string' || entry['enabled'] === false) return entry;
  const kept: Record<string, unknown> = { id, class: storedClass(kind, id), ...rest };
  for (const key of OF_THE_CLASS) delete kept[key];
  if (kind !== 'signal') units[id] = name;
  store(id);
  return kept;
}

/** What one entry gave, by position of the candidate. */
function storedScores(ranking: Ranking<object>, id: string, length: number): StoredScores {
  const { matrix } = ranking;
  const { values, resolved, states } = matrix.column(id);
  const all = Array.from<number | null>({ length }).fill(null);
  const failures: Record<number, string> = {};
  const failure = ranking.degraded.find(({ entry }) => entry === id)?.cause ?? 'it failed when it was ranked';
  let clamped = false;
  for (const [row, index] of matrix.index.entries()) {
    const value = values[row]!;
    if (!Number.isNaN(value)) all[index] = value;
    if (CELL_STATES[states[row]!] === 'failed') failures[index] = failure;
    const counted = resolved[row]!;
    if (!Number.isNaN(value) && !Number.isNaN(counted) && counted !== value) clamped = true;
  }
  for (const { index, kind, by } of ranking.refused) {
    if (by === id && kind === 'error') failures[index] = failure;
  }
  return { values: all, failures, ...(clamped && { range: rangeOf(resolved) }) };
}

/** The bounds of what counted, which clamping to gives the same. */
function rangeOf(resolved: Float64Array): [least: number, most: number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of resolved) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return [least, most];
}

const storedRefusals = (ranking: Ranking<object>, id: string): StoredRefusals => ({
  reasons: Object.fromEntries(
    ranking.refused.flatMap(({ index, all }) =>
      all.filter(({ by }) => by === id).map(({ kind, reason }) => [index, { kind, reason }] as const),
    ),
  ),
});
