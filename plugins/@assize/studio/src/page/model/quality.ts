import type { Ranking } from 'assize/browser';
import { auc, parseMeasure, type JudgedRanking, judgedShare } from '@assize/evaluate/measures';
import type { OtherRanking, QueryData } from '../../data/studio-data.js';

/** Values by the names of measures. */
export type Quality = ReadonlyMap<string, number>;

export const NO_QUALITY: Quality = new Map();

/** How many of the first ranks the first measure reads. */
export const MEASURED_RANKS = 10;

const MEASURES = [`nDCG@${MEASURED_RANKS}`, 'AP', 'RR'].map((name) => parseMeasure(name));

/** The measures of one query that have a mean over several. */
export const MEASURE_NAMES = MEASURES.map(({ name }) => name);

/** Candidates in an order. */
export interface Ordered {
  /** Their positions, best first. */
  readonly order: Int32Array;
  /** The score of the one at a place of the order, from 0. */
  readonly scoreAt: (place: number) => number;
}

export type Judgements = Pick<QueryData, 'grades' | 'missing'>;

/**
 * How good an order is, measured as `assize evaluate` does: refused candidates count as not found. AUC is that of grades
 * above 0 among the candidates that are ranked and judged.
 */
export function qualityOf(ordered: Ordered, judgements: Judgements): Quality {
  const judged = judgedRanking(ordered, judgements);
  if (!judged) return NO_QUALITY;
  const labelled = Array.from(ordered.order.keys()).filter((k) => judged.grades[k] !== undefined);
  const scores = labelled.map(ordered.scoreAt);
  const positive = labelled.map((k) => judged.grades[k]! > 0);
  return new Map([
    ...MEASURES.map(({ name, of }) => [name, of(judged)] as const),
    ['AUC', auc({ scores, positive })] as const,
  ]);
}

/** By measure: the share of the ranks it reads that are judged; NaN if nothing is ranked. Empty without judgements. */
export function judgedShares(ordered: Ordered, judgements: Judgements): Quality {
  const judged = judgedRanking(ordered, judgements);
  return judged ? new Map(MEASURES.map(({ name, cut }) => [name, judgedShare(judged, cut)])) : NO_QUALITY;
}

function judgedRanking({ order, scoreAt }: Ordered, { grades, missing = [] }: Judgements): JudgedRanking | undefined {
  if (!grades || (missing.length === 0 && grades.every((grade) => grade === null))) return undefined;
  return {
    grades: Array.from(order, (position) => grades[position] ?? undefined),
    judgements: [...grades.filter((grade) => grade !== null), ...missing],
    ties: tieSizes(order.length, scoreAt),
  };
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
