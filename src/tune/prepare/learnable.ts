import { toAssizeError } from '../../diagnostics/index.js';
import { isRankable, type JudgedQuery } from '../../evaluate/judged-query.js';
import type { RankedQueries } from '../queries/ranked-queries.js';
import type { DividedUnits } from './units.js';
import { AUC } from '../queries/yardstick.js';

/** What was learnt from, and measured on. */
export interface LearntFrom {
  /** Queries whose candidates have different grades. */
  readonly queries: number;
  /** Those that were left out, because all their candidates have one grade: no order is better than another. */
  readonly leftOut: number;
  /** The candidates of these queries that the profile does not refuse. */
  readonly candidates: number;
}

/** Whether AUC is meant: said, or data of one list with two labels. */
export function isPooled(measure: string | undefined, queries: readonly JudgedQuery[]): boolean {
  if (measure !== undefined) return measure.toUpperCase() === AUC;
  const hasTwoLabels = queries.every(({ grades }) =>
    grades.every((grade) => grade === undefined || grade === 0 || grade === 1),
  );
  return queries.length === 1 && hasTwoLabels;
}

/**
 * The queries in which an order can be better than another.
 *
 * @throws AssizeError (ASZ554) where there is none
 */
export function tellingQueries<T>(queries: readonly JudgedQuery<T>[]): readonly JudgedQuery<T>[] {
  const telling = queries.filter(isRankable);
  if (telling.length > 0) return telling;
  const which = queries.length === 1 ? 'the one query has no' : `none of the ${queries.length} queries has`;
  throw nothing(`${which} candidates with different grades`);
}

/** @throws AssizeError (ASZ554) where what was ranked does not suffice: nothing, one class only, or nothing to keep back */
export function checkLearnable(
  { grades }: RankedQueries<unknown>,
  pooled: boolean,
  relevantFrom: number,
  { groups, by }: DividedUnits,
): void {
  if (!grades.some((grade) => !Number.isNaN(grade)))
    throw nothing('the profile refuses every candidate that is judged', 'assize explain says why');
  const positives = grades.filter((grade) => grade >= relevantFrom).length;
  const negatives = grades.filter((grade) => grade < relevantFrom).length;
  if (pooled && (positives === 0 || negatives === 0)) {
    throw nothing(
      `${AUC} needs candidates of two classes; ${positives} have a grade of at least ${relevantFrom}, ${negatives} a lesser one`,
    );
  }
  if (new Set(groups).size >= 2) return;
  throw nothing(`there is one ${by} only, and a gain is measured on what is kept back`, 'give more, or other groups');
}

const nothing = (message: string, hint?: string): Error => toAssizeError([{ code: 'ASZ554', message, hint }]);
