import { type AskedMeasure, parseMeasure } from '../evaluate/measures/parse-measure.js';
import { auc } from '../evaluate/measures/binary.js';
import type { RankedQueries } from './ranked-queries.js';

/** What is to become better, read from the scores of rows. */
export interface Yardstick {
  /** As the table of measures has it, or `AUC`. */
  readonly name: string;
  /** Whether it looks at rows with two labels, whatever their query, and not at queries. */
  readonly pooled: boolean;
  /** Its value over some rows: whole queries, unless it is pooled. */
  of(totals: Float64Array, rows: Int32Array): number;
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
    of(totals, rows) {
      const judged = Array.from(rows).filter((row) => !Number.isNaN(grades[row]!));
      return auc({
        scores: judged.map((row) => totals[row]!),
        positive: judged.map((row) => grades[row]! >= relevantFrom),
      });
    },
  };
}

function meanOverQueries(name: string, relevantFrom: number, ranked: RankedQueries<unknown>): Yardstick {
  const measure = parseMeasure(name, relevantFrom);
  const { starts, grades, judgements } = ranked;
  const queryOf = new Int32Array(grades.length);
  for (let q = 0; q + 1 < starts.length; q++) queryOf.fill(q, starts[q], starts[q + 1]);
  const gradeOf = (row: number): number | undefined => (Number.isNaN(grades[row]!) ? undefined : grades[row]);
  return {
    name: measure.name,
    pooled: false,
    ofQuery: measure,
    of(totals, rows) {
      let sum = 0;
      let count = 0;
      for (let from = 0, to = 0; from < rows.length; from = to) {
        const q = queryOf[rows[from]!]!;
        to = from + starts[q + 1]! - starts[q]!;
        const order = rows.slice(from, to).sort((a, b) => totals[b]! - totals[a]! || a - b);
        sum += measure.of({ grades: Array.from(order, gradeOf), judgements: judgements[q]! });
        count += 1;
      }
      return sum / count;
    },
  };
}
