import { type Explanation, influences, type Pipeline, type Ranking } from 'assize';
import type { Difference } from '../differences.js';
import type { Dataset } from '../dataset/read-dataset.js';
import { type Evaluation, rankQuery } from '../evaluate-profiles.js';
import type { JudgedQuery } from '../judged-query.js';
import type { JudgedMove, MovedQuery } from './report.js';

/** For each difference by the first measure: the queries that changed most, and why. */
export async function movedQueries(
  profiles: Readonly<Record<string, Pipeline<object>>>,
  { queries }: Dataset,
  evaluation: Evaluation,
  differences: readonly Difference[],
): Promise<readonly MovedQuery[]> {
  const byId = new Map(queries.map((query) => [query.id, query]));
  const value = (profile: string, measure: string, query: string): number =>
    evaluation.profiles.find((one) => one.profile === profile)!.values[measure]![evaluation.queries.indexOf(query)]!;
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

/** The number of candidates to show for a query. */
const MOST = 2;

/**
 * The judged candidates that two profiles rank differently, sorted by grade, then by change of rank. Costs two rankings
 * and two explanations for each candidate.
 */
async function judgedMoves<T>(
  before: Pipeline<T>,
  after: Pipeline<T>,
  query: JudgedQuery<T>,
): Promise<readonly JudgedMove[]> {
  const [one, other] = [await rankQuery(before, query), await rankQuery(after, query)];
  const [was, is] = [ranksOf(one), ranksOf(other)];
  const last = query.candidates.length + 1;
  const distance = (index: number): number => Math.abs((was.get(index) ?? last) - (is.get(index) ?? last));
  return query.grades
    .flatMap((grade, index) => (grade === undefined || grade < 0 || distance(index) === 0 ? [] : [{ grade, index }]))
    .toSorted((a, b) => b.grade - a.grade || distance(b.index) - distance(a.index))
    .slice(0, MOST)
    .map(({ grade, index }) => {
      const [then, now] = [one.explain({ index }), other.explain({ index })];
      const [from, to] = [was.get(index), is.get(index)];
      return {
        id: now.id,
        grade,
        ...(from !== undefined && { before: from }),
        ...(to !== undefined && { after: to }),
        ...refusalOf(from === undefined ? then : to === undefined ? now : undefined),
        because: influences(then, now).filter(({ difference }) => difference !== 0),
      };
    });
}

const ranksOf = ({ ranked }: Ranking<unknown>): ReadonlyMap<number, number> =>
  new Map(ranked.map(({ index, rank }) => [index, rank]));

function refusalOf(explanation: Explanation | undefined): Pick<JudgedMove, 'refused'> {
  if (!explanation) return {};
  const { outcome } = explanation;
  return { refused: outcome.kind === 'refused' ? `${outcome.by}: ${outcome.reason}` : outcome.kind.replace('_', ' ') };
}
