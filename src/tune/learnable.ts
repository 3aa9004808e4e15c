import { toAssizeError } from '../diagnostics/index.js';
import type { JudgedQuery } from '../evaluate/judged-query.js';
import type { RankedQueries } from './ranked-queries.js';
import type { GroupedUnits } from './units.js';
import { AUC, type Yardstick } from './yardstick.js';

/** What was learnt from. */
export interface LearntFrom {
  readonly queries: number;
  /** Those whose ranked candidates have different grades: the others teach nothing, and measure the same. */
  readonly telling: number;
  readonly candidates: number;
}

/** AUC for one list with two labels, else nDCG@10. */
export function defaultMeasure(queries: readonly JudgedQuery[]): string {
  const twoLabels = queries.every(({ grades }) => grades.every((grade) => grade === undefined || grade === 0 || grade === 1));
  return queries.length === 1 && twoLabels ? AUC : 'nDCG@10';
}

/**
 * What there is to learn from.
 *
 * @throws AssizeError (ASZ554) where there is nothing, or it cannot be divided
 */
export function learnable(
  { starts, grades }: RankedQueries<unknown>,
  { pooled, name }: Yardstick,
  relevantFrom: number,
  { groups, by }: GroupedUnits,
): LearntFrom {
  const worth = (grade: number): number => (Number.isNaN(grade) ? 0 : grade);
  const differ = (from: number, to: number): boolean =>
    grades.subarray(from, to).some((grade) => worth(grade) !== worth(grades[from]!));
  const queries = starts.length - 1;
  const telling = Array.from({ length: queries }, (_, q) => differ(starts[q]!, starts[q + 1]!)).filter(Boolean).length;
  if (pooled) {
    const positives = grades.filter((grade) => grade >= relevantFrom).length;
    const negatives = grades.filter((grade) => grade < relevantFrom).length;
    const message = `${name} needs candidates of two classes; ${positives} have a grade of at least ${relevantFrom}, ${negatives} a lesser one`;
    if (positives === 0 || negatives === 0) throw nothing(message);
  } else if (telling === 0) {
    throw nothing(`none of the ${queries} queries has ranked candidates with different grades`);
  }
  if (new Set(groups).size < 2) {
    throw nothing(`there is one ${by} only, and a gain is measured on what is kept back`, 'give more, or folds by something else');
  }
  return { queries, telling, candidates: grades.length };
}

const nothing = (message: string, hint?: string): Error => toAssizeError([{ code: 'ASZ554', message, hint }]);
