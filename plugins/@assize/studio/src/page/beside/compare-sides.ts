import { type Difference, differencesFrom } from '@assize/evaluate/measures';
import { MEASURE_NAMES } from '../model/quality.js';
import type { QueriesQuality, SeveralQueries } from '../queries/several-queries.js';

/** Samples by queries: more would keep the page from answering for longer than a third of a second. */
const MOST_DRAWN = 3e6;
const MOST_SAMPLES = 10_000;
/** Fewer could not show any difference. */
const LEAST_SAMPLES = 300;

/**
 * How the right side differs from the left by each measure. Intervals, p-values and verdicts are those of
 * `assize evaluate`; with more than 300 queries, p-values come from fewer samples. As there, no verdict is given if too
 * few of the measured ranks are judged.
 */
export function compareSides(
  { ids, groups }: Pick<SeveralQueries, 'ids' | 'groups'>,
  left: QueriesQuality,
  right: QueriesQuality,
): readonly Difference[] {
  // As in assize evaluate: queries that are not judged do not count.
  const isCounted = (query: number): boolean => right.byQuery[query]!.size > 0;
  const counted = <V>(list: readonly V[]): readonly V[] => list.filter((_, query) => isCounted(query));
  if (counted(ids).length === 0) return [];
  const side = (profile: string, { byQuery, judged, means }: QueriesQuality) => ({
    profile,
    means: Object.fromEntries(means),
    values: Object.fromEntries(
      MEASURE_NAMES.map((name) => [name, Float64Array.from(counted(byQuery), (one) => one.get(name) ?? 0)]),
    ),
    judged: Object.fromEntries(
      MEASURE_NAMES.map((name) => [name, Float64Array.from(counted(judged), (one) => one.get(name) ?? Number.NaN)]),
    ),
  });
  const baseline = side('left', left);
  const samples = Math.max(LEAST_SAMPLES, Math.min(MOST_SAMPLES, Math.floor(MOST_DRAWN / ids.length)));
  const profiles = [baseline, side('right', right)];
  return differencesFrom(
    { measures: MEASURE_NAMES, queries: counted(ids), groups: groups && counted(groups), profiles },
    baseline,
    { samples },
  );
}
