import { type AskedMeasure, parseMeasure } from '../measures/measures.js';
import type { JudgedQuery } from '../judged-query.js';
import { LABELLED_MEASURES, type LabelledMeasureName } from '../measures/labelled-measures.js';
import type { Pipeline, Ranking } from 'assize';
import { labelledMeasure } from './labelled-gain.js';
import type { Effort } from './tune-options.js';

/** All queries, ranked once. Rows are numbered across queries, in the order of the queries and of their matrices. */
export interface RankedQueries<T> {
  readonly queries: readonly JudgedQuery<T>[];
  readonly rankings: readonly Ranking<T>[];
  /** The first row of each query, and at the end the number of rows. */
  readonly starts: Int32Array;
  /** The grade of each row; NaN if not judged. */
  readonly grades: Float64Array;
  /** By query: all grades, including refused and missing candidates. */
  readonly judgements: readonly (readonly number[])[];
}

/** Ranks each query separately, evaluating every scorer for every candidate, without updating memories. */
export async function rankQueries<T>(
  pipeline: Pipeline<T>,
  queries: readonly JudgedQuery<T>[],
  effort: Effort,
): Promise<RankedQueries<T>> {
  const rankings: Ranking<T>[] = [];
  for (const [q, { candidates, context }] of queries.entries()) {
    // oxlint-disable-next-line no-await-in-loop -- one query at a time: CPU-bound
    rankings.push(
      await pipeline.rank(candidates, context, { updateMemory: false, prune: false, ...effort.signalOption }),
    );
    effort.report('ranking', q + 1, queries.length, 'queries');
    // oxlint-disable-next-line no-await-in-loop -- lets an abort take effect
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

/** The distinct queries of some rows, in order. Rows of one query must be adjacent. */
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

/** The measure to maximize, computed from the scores of rows. */
export interface Objective {
  /** The normalized name of the measure. */
  readonly name: string;
  /** The measure of data without queries, which compares all rows; undefined for a measure of queries. */
  readonly labelled: LabelledMeasureName | undefined;
  /** Whether it compares all rows, ignoring queries. */
  readonly pooled: boolean;
  /**
   * Prepares the measure for some rows (whole queries, unless it is pooled). The returned function can be called
   * repeatedly; it is fastest if the order of rows hardly changes between calls.
   */
  over(rows: Int32Array): (totals: Float64Array) => number;
  /** The measure of one query; undefined if it is pooled. */
  readonly ofQuery: AskedMeasure | undefined;
}

/**
 * Finds the measure to maximize.
 *
 * @throws AssizeError (ASZ605) if the name is unknown
 */
export function objective(name: string, relevantFrom: number, ranked: RankedQueries<unknown>): Objective {
  const labelled = labelledMeasure(name, ranked.queries);
  return labelled ? overRows(labelled, relevantFrom, ranked) : meanOverQueries(name, relevantFrom, ranked);
}

function overRows(name: LabelledMeasureName, relevantFrom: number, { grades }: RankedQueries<unknown>): Objective {
  return {
    name,
    labelled: name,
    pooled: true,
    ofQuery: undefined,
    over(rows) {
      const judged = Array.from(rows).filter((row) => !Number.isNaN(grades[row]!));
      const own = judged.map((row) => grades[row]!);
      const { of } = LABELLED_MEASURES[name];
      return (totals) =>
        of(
          judged.map((row) => totals[row]!),
          own,
          relevantFrom,
        )();
    },
  };
}

function meanOverQueries(name: string, relevantFrom: number, ranked: RankedQueries<unknown>): Objective {
  const measure = parseMeasure(name, relevantFrom);
  const { starts, grades, judgements } = ranked;
  const queryOf = new Int32Array(grades.length);
  for (let q = 0; q + 1 < starts.length; q++) queryOf.fill(q, starts[q], starts[q + 1]);
  const gradeOf = (row: number): number | undefined => (Number.isNaN(grades[row]!) ? undefined : grades[row]);
  const slow: RowsMeasure = (order, from, to, q, totals) => {
    const rows = order.subarray(from, to);
    return measure.of({
      grades: Array.from(rows, gradeOf),
      judgements: judgements[q]!,
      ties: tieSizesOf(rows, totals),
    });
  };
  const valueOf = fastNdcg(measure.name, grades, judgements) ?? slow;
  return {
    name: measure.name,
    labelled: undefined,
    pooled: false,
    ofQuery: measure,
    over(rows) {
      const order = rows.slice();
      const lists = listsOf(rows, queryOf);
      return (totals) => {
        let sum = 0;
        for (const { q, from, to } of lists) {
          sortRange(order, from, to, totals);
          sum += valueOf(order, from, to, q, totals);
        }
        return sum / lists.length;
      };
    },
  };
}

/** The sizes of groups of equal scores, best first. */
function tieSizesOf(rows: Int32Array, totals: Float64Array): readonly number[] {
  const sizes: number[] = [];
  for (const [k, row] of rows.entries()) {
    if (k > 0 && totals[rows[k - 1]!] === totals[row]) sizes[sizes.length - 1]! += 1;
    else sizes.push(1);
  }
  return sizes;
}

/** The queries of some rows, each with the range of its rows. */
function listsOf(
  rows: Int32Array,
  queryOf: Int32Array,
): readonly { readonly q: number; readonly from: number; readonly to: number }[] {
  const lists = [];
  for (let from = 0, to = 0; from < rows.length; from = to) {
    const q = queryOf[rows[from]!]!;
    while (to < rows.length && queryOf[rows[to]!] === q) to += 1;
    lists.push({ q, from, to });
  }
  return lists;
}

/**
 * The measure of a query from a range of sorted rows. Rows with equal totals are tied and count with the mean over their
 * orders, so that the search does not profit from the order of the file.
 */
type RowsMeasure = (order: Int32Array, from: number, to: number, q: number, totals: Float64Array) => number;

/**
 * nDCG with precomputed gains, discounts and ideal values, because a search evaluates it thousands of times. Equal to the
 * measure of that name.
 *
 * @param grades     by row; NaN if not judged
 * @param judgements by query: all grades
 * @returns undefined for other measures
 */
export function fastNdcg(
  name: string,
  grades: Float64Array,
  judgements: readonly (readonly number[])[],
): RowsMeasure | undefined {
  const [, exponential, cutText] = /^nDCG(exp)?(?:@(\d+))?$/.exec(name) ?? [];
  if (!name.startsWith('nDCG')) return undefined;
  const cut = cutText === undefined ? Number.POSITIVE_INFINITY : Number(cutText);
  const gain = (grade: number): number => (!(grade > 0) ? 0 : exponential === undefined ? grade : 2 ** grade - 1);
  const gains = grades.map(gain);
  const longest = Math.max(0, ...judgements.map(({ length }) => length), grades.length > 0 ? 1 : 0);
  const discounts = Float64Array.from({ length: Math.min(cut, Math.max(longest, grades.length)) }, (_, k) =>
    Math.log2(k + 2),
  );
  const ideals = Float64Array.from(judgements, (own) =>
    own
      .toSorted((a, b) => b - a)
      .slice(0, discounts.length)
      .reduce((sum, grade, k) => sum + gain(grade) / discounts[k]!, 0),
  );
  return (order, from, to, q, totals) => {
    if (!(ideals[q]! > 0)) return 0;
    let sum = 0;
    const last = Math.min(to - from, discounts.length);
    for (let k = 0; k < last; ) {
      const total = totals[order[from + k]!]!;
      let own = gains[order[from + k]!]!;
      let end = k + 1;
      for (; from + end < to && totals[order[from + end]!] === total; end++) own += gains[order[from + end]!]!;
      const mean = own / (end - k);
      if (own > 0) for (const stop = Math.min(end, last); k < stop; k++) sum += mean / discounts[k]!;
      k = end;
    }
    return sum / ideals[q]!;
  };
}

/** Fall back to a full sort after this many moves per row. */
const MOST_MOVES = 40;

/**
 * Sorts a range of rows in place, best first, equal rows by number. Nearly sorted rows take linear time (insertion sort),
 * as in a search that changes one weight at a time; otherwise O(n log n).
 *
 * @param order rows; the range `from` to `to` is sorted
 */
export function sortRange(order: Int32Array, from: number, to: number, totals: Float64Array): void {
  let moves = MOST_MOVES * (to - from);
  for (let k = from + 1; k < to; k++) {
    const row = order[k]!;
    const total = totals[row]!;
    let at = k;
    while (at > from) {
      const other = order[at - 1]!;
      const its = totals[other]!;
      if (its > total || (its === total && other < row)) break;
      order[at] = other;
      at -= 1;
    }
    order[at] = row;
    moves -= k - at;
    if (moves < 0) {
      order.subarray(from, to).sort((a, b) => totals[b]! - totals[a]! || a - b);
      return;
    }
  }
}
