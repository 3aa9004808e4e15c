import type { Context } from '../contract/index.js';

/** What one query's candidates are, and how they were judged. */
export interface JudgedQuery<T = unknown> {
  /** Unique among the queries. */
  readonly id: string;
  readonly context?: Context;
  readonly candidates: readonly T[];
  /** By position of the candidate: its grade, 0 where it is judged and not relevant; undefined where it was not judged. */
  readonly grades: readonly (number | undefined)[];
  /** The grades of what is judged and not among the candidates: it cannot be found, and counts as missed. */
  readonly missing?: readonly number[];
  /** What the query stems from, such as a source or a person: queries of one group are drawn together. */
  readonly group?: string;
  /** The fold of a cross-validation that it belongs to. */
  readonly fold?: string;
  /** The same two by position of the candidate, of data without queries: then one query has all of it. */
  readonly candidateGroups?: readonly string[];
  readonly candidateFolds?: readonly string[];
}

/** Whether a query's candidates have different grades: one that was not judged counts as 0. */
export const isRankable = ({ grades }: Pick<JudgedQuery, 'grades'>): boolean =>
  grades.some((grade) => (grade ?? 0) !== (grades[0] ?? 0));
