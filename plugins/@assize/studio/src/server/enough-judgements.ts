import type { JudgedQuery } from '@assize/evaluate';
import { isMap, type JudgedBy, type ProfileDocument, type TooFew } from '../data/studio-data.js';

/**
 * The fewest judgements for each criterion.
 *
 * - Ten grades: the usual rule for fitting a coefficient (Peduzzi et al. 1996). With fewer, the found weights follow the
 *   few items that happen to be graded.
 * - Five pairs: some weights agree with every one of n random choices with the probability that Cover (1965) gives. For
 *   five pairs for each criterion it is below 7 %; for two it is 50 %. With fewer, agreement shows nothing.
 */
export const FOR_EACH: Readonly<Record<JudgedBy, number>> = { grades: 10, pairs: 5 };

/** The criteria whose weights can be found. */
export function criteriaOf({ tier2_scorers: scorers }: ProfileDocument): number {
  const entries: readonly unknown[] = Array.isArray(scorers) ? scorers : [];
  const isFound = (one: unknown): boolean =>
    isMap(one) && one['enabled'] !== false && (one['weight'] === undefined || typeof one['weight'] === 'number');
  return Math.max(1, entries.filter(isFound).length);
}

/** Why there are too few judgements; undefined if there are enough. */
function tooFew(by: JudgedBy, count: number, criteria: number): TooFew | undefined {
  const needed = FOR_EACH[by] * criteria;
  return count < needed ? { by, count, needed, criteria } : undefined;
}

/** @param pairs the pairs of which one item was chosen */
export const tooFewPairs = (pairs: number, criteria: number): TooFew | undefined => tooFew('pairs', pairs, criteria);

/** Counts only grades of queries with different grades, because other queries do not show which order is better. */
export function tooFewGrades(queries: readonly JudgedQuery<object>[], criteria: number): TooFew | undefined {
  const given = queries.map(({ grades }) => grades.filter((grade) => grade !== undefined));
  const all = given.reduce((sum, { length }) => sum + length, 0);
  const useful = given.filter((grades, q) => {
    const isAllGraded = grades.length === queries[q]!.grades.length;
    const different = new Set(isAllGraded ? grades : [...grades, 0]); // an item without a grade counts as not relevant
    return different.size > 1;
  });
  const count = useful.reduce((sum, { length }) => sum + length, 0);
  const few = tooFew('grades', count, criteria);
  return few && tooFew('grades', all, criteria) === undefined ? { ...few, areSame: true } : few;
}

const NAMES: Readonly<Record<JudgedBy, string>> = { grades: 'grades', pairs: 'chosen pairs' };
const REASONS: Readonly<Record<JudgedBy, string>> = {
  grades: 'With fewer than 10 for each criterion, the weights follow the few items that happen to be graded.',
  pairs: 'With fewer than 5 for each criterion, some weights agree with almost any choices.',
};

/** How many more judgements are needed, and why. */
export function tooFewText({ by, count, needed, criteria, areSame }: TooFew): string {
  const what = NAMES[by];
  if (areSame === true) {
    return `Only ${count} of the ${what} are in lists with different grades, and ${needed} are needed: equal grades do not show which order is better. Also grade better and worse items of the same list.`;
  }
  const criterion = criteria === 1 ? '1 criterion' : `${criteria} criteria`;
  const more = needed - count;
  const needs = more === 1 ? `1 more ${what.slice(0, -1)} is needed` : `${more} more ${what} are needed`;
  return `${needs}: ${needed} for ${criterion}, and you have ${count}. ${REASONS[by]}`;
}
