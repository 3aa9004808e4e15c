import type { JudgedRanking } from '../judged-ranking.js';

/** How a measure reads a ranking: how many ranks, and from which grade on something is relevant. */
export interface MeasureOptions {
  /** How many ranks count; undefined: all. */
  readonly cut: number | undefined;
  /** The least grade that is relevant: 1 unless said. */
  readonly relevantFrom: number;
}

/** A measure of one ranking, most often from 0 to 1. */
export type Measure = (ranking: JudgedRanking, options: MeasureOptions) => number;

/** Whether a grade is relevant. */
export const isRelevant = (grade: number | undefined, relevantFrom: number): boolean =>
  grade !== undefined && grade >= relevantFrom;

/** How many of a list of grades are relevant. */
export function countRelevant(grades: readonly (number | undefined)[], relevantFrom: number): number {
  let count = 0;
  for (const grade of grades) if (isRelevant(grade, relevantFrom)) count += 1;
  return count;
}

/** A quotient; 0 where there is nothing to divide by. */
export const share = (part: number, whole: number): number => (whole > 0 ? part / whole : 0);
