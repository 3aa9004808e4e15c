import type { JudgedQuery } from '../../evaluate/judged-query.js';
import type { Pipeline } from '../../pipeline.js';
import type { Ranking } from '../../ranking/index.js';
import type { Effort } from '../effort.js';

/** Every query, ranked once. Rows of all queries are numbered through, in the order of the queries and of their matrices. */
export interface RankedQueries<T> {
  readonly queries: readonly JudgedQuery<T>[];
  readonly rankings: readonly Ranking<T>[];
  /** By query: its first row; one more at the end, the number of rows. */
  readonly starts: Int32Array;
  /** By row: the grade; NaN where it was not judged. */
  readonly grades: Float64Array;
  /** By query: the grades of all that was judged, refused and missing candidates included. */
  readonly judgements: readonly (readonly number[])[];
}

/** Ranks every query for itself, with every scorer asked about every candidate and no memory taught. */
export async function rankQueries<T>(
  pipeline: Pipeline<T>,
  queries: readonly JudgedQuery<T>[],
  effort: Effort,
): Promise<RankedQueries<T>> {
  const rankings: Ranking<T>[] = [];
  for (const [q, { candidates, context }] of queries.entries()) {
    // oxlint-disable-next-line no-await-in-loop -- a query at a time: more at once would only wait for one another
    rankings.push(await pipeline.rank(candidates, context, { learn: false, prune: false, ...effort.abortOption }));
    effort.report('ranking', q + 1, queries.length, 'queries');
    // oxlint-disable-next-line no-await-in-loop -- so that an abort is heard
    await effort.breathe();
  }
  const starts = new Int32Array(queries.length + 1);
  for (const [q, { matrix }] of rankings.entries()) starts[q + 1] = starts[q]! + matrix.index.length;
  const grades = new Float64Array(starts.at(-1)!);
  for (const [q, { matrix }] of rankings.entries())
    for (const [k, index] of matrix.index.entries()) grades[starts[q]! + k] = queries[q]!.grades[index] ?? Number.NaN;
  const judgements = queries.map(({ grades: own, missing = [] }) => [
    ...own.filter((grade) => grade !== undefined),
    ...missing,
  ]);
  return { queries, rankings, starts, grades, judgements };
}

/** The queries of some rows, each once, in order: rows of one query stand together. */
export function queriesOfRows({ starts }: Pick<RankedQueries<unknown>, 'starts'>, rows: Int32Array): Int32Array {
  const found: number[] = [];
  let q = 0;
  for (const row of rows) {
    if (found.length > 0 && row < starts[q + 1]!) continue;
    while (row >= starts[q + 1]!) q += 1;
    found.push(q);
  }
  return Int32Array.from(found);
}
