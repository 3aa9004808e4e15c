import { aucDifference, type Estimate, type LabelledRows } from '../significance/intervals.js';
import { findLabelledMeasure, LABELLED_MEASURES, type LabelledMeasureName } from '../measures/labelled-measures.js';
import type { JudgedQuery } from '../judged-query.js';
import { meanOf } from '../significance/distributions.js';

/** The rows of a fold, with their grades. */
export interface GradedRows extends LabelledRows {
  readonly grades: readonly number[];
}

/** The measure of all folds before and after, and the difference with its variance. */
export interface LabelledGain {
  readonly before: number;
  readonly after: number;
  readonly difference: Estimate;
}

/** The names of the default measures without queries: of two classes, and of more grades. */
export const AUC = 'AUC';
export const TAU = 'tau';

/** Measures that need only an order of grades, not two classes. */
const CORRELATIONS: ReadonlySet<string> = new Set<LabelledMeasureName>(['tau', 'rho']);

/** Whether a measure compares scores with grades, so that grades beyond two classes count. */
export const isCorrelation = (measure: string): boolean => CORRELATIONS.has(measure);

/**
 * The measure of data without queries that a name means; undefined if it is a measure of queries. AP is both: of one query
 * it is that of data without queries, since one query cannot be divided into folds.
 */
export function labelledMeasure(name: string, queries: readonly JudgedQuery[]): LabelledMeasureName | undefined {
  const found = findLabelledMeasure(name);
  return found === 'AP' && queries.length > 1 ? undefined : found;
}

/** Whether rows can be measured: they have two classes or, for a correlation, two grades. */
export const isMeasurable = (
  measure: string,
  { positive, grades }: Pick<GradedRows, 'positive' | 'grades'>,
): boolean => (isCorrelation(measure) ? new Set(grades).size > 1 : positive.includes(true) && positive.includes(false));

/** The most parts that the jackknife omits in turn. Groups beyond that are omitted together. */
const MAX_PARTS = 200;

/**
 * The difference of a measure on held-out rows. For AUC its variance is DeLong's, for the others it is that of a
 * jackknife over groups. Rows are compared within their fold, since scores of two models are not comparable; folds count
 * by their rows.
 *
 * @param relevantFrom the lowest grade of the positive class
 * @returns NaN if no fold can be measured
 */
export function labelledGain(
  measure: LabelledMeasureName,
  relevantFrom: number,
  folds: readonly GradedRows[],
): LabelledGain {
  if (measure === AUC) return aucDifference(folds);
  const names = [...new Set(folds.flatMap(({ groups }) => groups))];
  const parts = Math.min(MAX_PARTS, names.length);
  const partOf = new Map(names.map((name, k) => [name, k % parts]));
  const sampled = folds
    .filter((fold) => isMeasurable(measure, fold))
    .map(({ before, after, grades, groups }) => {
      const { of } = LABELLED_MEASURES[measure];
      const own = groups.map((name) => partOf.get(name)!);
      return {
        own,
        present: new Set(own),
        share: grades.length,
        before: of(Array.from(before), grades, relevantFrom),
        after: of(Array.from(after), grades, relevantFrom),
      };
    });
  // Scores that are all equal have no correlation.
  const whole = sampled.map((fold) => ({ before: fold.before() || 0, after: fold.after() || 0, share: fold.share }));
  const total = whole.reduce((sum, { share }) => sum + share, 0);
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value, k) => sum + (value * whole[k]!.share) / total, 0);
  const before = whole.length === 0 ? Number.NaN : mean(whole.map((fold) => fold.before));
  const after = whole.length === 0 ? Number.NaN : mean(whole.map((fold) => fold.after));
  const without = Array.from({ length: parts }, (_, part) =>
    mean(
      sampled.map((fold, k) => {
        if (!fold.present.has(part)) return whole[k]!.after - whole[k]!.before;
        const counts = Uint8Array.from(fold.own, (one) => Number(one !== part));
        return (fold.after(counts) || 0) - (fold.before(counts) || 0);
      }),
    ),
  );
  const center = meanOf(without);
  const squares = without.reduce((sum, value) => sum + (value - center) ** 2, 0);
  const variance = parts < 2 ? Number.NaN : ((parts - 1) / parts) * squares;
  return { before, after, difference: { value: after - before, variance, degrees: parts - 1 } };
}
