import type { Ranking } from '../../browser/index.js';
import { auc } from '../../evaluate/measures/binary.js';
import { parseMeasure } from '../../evaluate/measures/parse-measure.js';
import type { QueryData } from '../data/studio-data.js';

/** Values by the names of measures. */
export type Quality = ReadonlyMap<string, number>;

export const NO_QUALITY: Quality = new Map();

const MEASURES = ['nDCG@10', 'AP', 'RR'].map((name) => parseMeasure(name));

/** The measures of one query that have a mean over several. */
export const MEASURE_NAMES = MEASURES.map(({ name }) => name);

/**
 * How good an order is, as `assize evaluate` measures it: what was refused is not found. AUC is that of a grade above 0
 * among what is ranked and judged.
 *
 * @param order positions of candidates, best first
 */
export function qualityOf(
  { order: rows, matrix: { totals } }: Ranking<object>,
  order: Int32Array,
  { grades, missing = [] }: Pick<QueryData, 'grades' | 'missing'>,
): Quality {
  if (!grades) return NO_QUALITY;
  const judged = {
    grades: Array.from(order, (position) => grades[position] ?? undefined),
    judgements: [...grades.filter((grade) => grade !== null), ...missing],
  };
  const labelled = Array.from(order.keys()).filter((k) => judged.grades[k] !== undefined);
  const scores = labelled.map((k) => totals[rows[k]!]!);
  const positive = labelled.map((k) => judged.grades[k]! > 0);
  return new Map([
    ...MEASURES.map(({ name, of }) => [name, of(judged)] as const),
    ['AUC', auc({ scores, positive })] as const,
  ]);
}
