import { type AskedMeasure, parseMeasure } from '../../evaluate/measures/parse-measure.js';
import { auc } from '../../evaluate/measures/binary.js';
import { fastNdcg, type RowsMeasure } from './fast-ndcg.js';
import type { RankedQueries } from './ranked-queries.js';
import { sortRows } from './sort-rows.js';

/** What is to become better, read from the scores of rows. */
export interface Yardstick {
  /** As the table of measures has it, or `AUC`. */
  readonly name: string;
  /** Whether it looks at rows with two labels, whatever their query, and not at queries. */
  readonly pooled: boolean;
  /**
   * Its value over some rows: whole queries, unless it is pooled. The function may be called with one score after another;
   * what hardly changes the order is measured fastest.
   */
  over(rows: Int32Array): (totals: Float64Array) => number;
  /** The measure of one query, by its grades best first; undefined where it is pooled. */
  readonly ofQuery: AskedMeasure | undefined;
}

/** The name of the one measure that needs no queries. */
export const AUC = 'AUC';

/**
 * The measure that is tuned for.
 *
 * @throws AssizeError (ASZ605) where there is none of this name
 */
export function yardstick(name: string, relevantFrom: number, ranked: RankedQueries<unknown>): Yardstick {
  return name.toUpperCase() === AUC ? pooledAuc(relevantFrom, ranked) : meanOverQueries(name, relevantFrom, ranked);
}

function pooledAuc(relevantFrom: number, { grades }: RankedQueries<unknown>): Yardstick {
  return {
    name: AUC,
    pooled: true,
    ofQuery: undefined,
    over(rows) {
      const judged = Array.from(rows).filter((row) => !Number.isNaN(grades[row]!));
      const positive = judged.map((row) => grades[row]! >= relevantFrom);
      return (totals) => auc({ scores: judged.map((row) => totals[row]!), positive });
    },
  };
}

function meanOverQueries(name: string, relevantFrom: number, ranked: RankedQueries<unknown>): Yardstick {
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
    pooled: false,
    ofQuery: measure,
    over(rows) {
      const order = rows.slice();
      const lists = listsOf(rows, queryOf);
      return (totals) => {
        let sum = 0;
        for (const { q, from, to } of lists) {
          sortRows(order, from, to, totals);
          sum += valueOf(order, from, to, q, totals);
        }
        return sum / lists.length;
      };
    },
  };
}

/** The sizes of the groups of equal scores of rows, best first. */
function tieSizesOf(rows: Int32Array, totals: Float64Array): readonly number[] {
  const sizes: number[] = [];
  for (const [k, row] of rows.entries()) {
    if (k > 0 && totals[rows[k - 1]!] === totals[row]) sizes[sizes.length - 1]! += 1;
    else sizes.push(1);
  }
  return sizes;
}

/** The queries of some rows, each with the places where its rows stand among them. */
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
