import type { Ranking } from '../../../browser/index.js';
import { auc } from '../../../evaluate/measures/labelled-measures.js';
import { parseMeasure } from '../../../evaluate/measures/measures.js';
import type { OtherRanking, QueryData } from '../../data/studio-data.js';

/** Values by the names of measures. */
export type Quality = ReadonlyMap<string, number>;

export const NO_QUALITY: Quality = new Map();

const MEASURES = ['nDCG@10', 'AP', 'RR'].map((name) => parseMeasure(name));

/** The measures of one query that have a mean over several. */
export const MEASURE_NAMES = MEASURES.map(({ name }) => name);

/** Candidates in an order. */
export interface Ordered {
  /** Their positions, best first. */
  readonly order: Int32Array;
  /** The score of the one at a place of the order, from 0. */
  readonly scoreAt: (place: number) => number;
}

/**
 * How good an order is, as `assize evaluate` measures it: what was refused is not found. AUC is that of a grade above 0
 * among what is ranked and judged.
 */
export function qualityOf(
  { order, scoreAt }: Ordered,
  { grades, missing = [] }: Pick<QueryData, 'grades' | 'missing'>,
): Quality {
  if (!grades) return NO_QUALITY;
  const judged = {
    grades: Array.from(order, (position) => grades[position] ?? undefined),
    judgements: [...grades.filter((grade) => grade !== null), ...missing],
    ties: tieSizes(order.length, scoreAt),
  };
  const labelled = Array.from(order.keys()).filter((k) => judged.grades[k] !== undefined);
  const scores = labelled.map(scoreAt);
  const positive = labelled.map((k) => judged.grades[k]! > 0);
  return new Map([
    ...MEASURES.map(({ name, of }) => [name, of(judged)] as const),
    ['AUC', auc({ scores, positive })] as const,
  ]);
}

/** The sizes of the groups of equal scores, best first; a place without a score is its own group. */
function tieSizes(count: number, scoreAt: Ordered['scoreAt']): readonly number[] {
  const sizes: number[] = [];
  for (let place = 0; place < count; place++) {
    if (place > 0 && scoreAt(place - 1) === scoreAt(place)) sizes[sizes.length - 1]! += 1;
    else sizes.push(1);
  }
  return sizes;
}

/** The candidates of a ranking of so many. */
export function orderedBy({ order: rows, matrix: { index, totals } }: Ranking<object>, given: number): Ordered {
  // Where nothing was refused, a row is the position of its candidate.
  const order = rows.length === given ? rows : rows.map((row) => index[row]!);
  return { order, scoreAt: (place) => totals[rows[place]!]! };
}

/** The candidates in the order of another profile. */
export const orderedByOther = ({ order, scores = [] }: OtherRanking): Ordered => ({
  order: Int32Array.from(order),
  scoreAt: (place) => scores[place] ?? Number.NaN,
});
