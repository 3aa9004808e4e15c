import type { Explanation, Influence, Pipeline, Ranking } from '../../index.js';
import { influences } from '../../ranking/diff/ranking-diff.js';
import { rankQuery } from '../evaluate-profiles.js';
import type { JudgedQuery } from '../judged-query.js';

/** A judged candidate that two profiles rank differently, and what moved it. */
export interface JudgedMove {
  readonly id: string;
  readonly grade: number;
  /** Its rank; missing where it has none. */
  readonly before?: number;
  readonly after?: number;
  /** Why it has no rank in either, such as the reason of a veto. */
  readonly refused?: string;
  /** The scorers and rules that changed its score, the largest change first; empty where only others moved. */
  readonly because: readonly Influence[];
}

/** How many of a query's candidates are shown. */
const MOST = 2;

/**
 * The judged candidates that make a query gain or lose between two profiles: the best grades first, and of one grade
 * those that move most. Two rankings, and two explanations for each.
 */
export async function judgedMoves<T>(
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
