import type { Pipeline } from '../../index.js';
import type { Difference } from '../compare-profiles.js';
import type { Dataset } from '../dataset/dataset.js';
import type { Evaluation } from '../evaluate-profiles.js';
import { judgedMoves } from './query-moves.js';
import type { MovedQuery } from './report.js';

/** By the first measure, for each difference that there is: the queries that moved most, and why. */
export async function movedQueries(
  profiles: Readonly<Record<string, Pipeline<object>>>,
  { queries }: Dataset,
  evaluation: Evaluation,
  differences: readonly Difference[],
): Promise<readonly MovedQuery[]> {
  const byId = new Map(queries.map((query) => [query.id, query]));
  const value = (profile: string, measure: string, query: string): number =>
    evaluation.profiles.find((one) => one.profile === profile)!.values.get(measure)![
      evaluation.queries.indexOf(query)
    ]!;
  const moved: MovedQuery[] = [];
  for (const { profile, baseline, measure, gained, lost } of differences) {
    if (measure !== evaluation.measures[0]) continue;
    for (const { query } of [...gained, ...lost]) {
      const [before, after] = [value(baseline, measure, query), value(profile, measure, query)];
      // oxlint-disable-next-line no-await-in-loop -- at most ten
      const moves = await judgedMoves(profiles[baseline]!, profiles[profile]!, byId.get(query)!);
      moved.push({ profile, baseline, measure, query, before, after, moves });
    }
  }
  return moved;
}
