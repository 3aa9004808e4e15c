import type { JudgedQuery } from '../../evaluate/index.js';
import type { Context, Trust } from '../../index.js';

/** Candidates of one request. */
interface OneList {
  readonly candidates: readonly object[];
  readonly context: Context;
  /** What somebody judged of each candidate, by position: 0 where it is not relevant, undefined where nobody did. */
  readonly grades?: readonly (number | undefined)[];
}

/** Candidates of several requests, each with its judgements, as `readDataset` reads them. */
interface SeveralLists {
  readonly queries: readonly JudgedQuery<object>[];
}

/** What a studio shows. */
export type StudioSource = (OneList | SeveralLists) & {
  /** A preset's name, or a path. */
  readonly profile: string;
  /** Other profiles, by which the page shows the same candidates beside it. */
  readonly others?: readonly string[];
  /** `none`: the profile is a stranger's. */
  readonly trust?: Trust;
};

/** A query of a studio; of candidates that nobody judged, without grades. */
export type StudioQuery = Omit<JudgedQuery<object>, 'grades'> & Partial<Pick<JudgedQuery, 'grades'>>;

/** The queries of a source: one, where it has one list. */
export function queriesOf(source: StudioSource): readonly StudioQuery[] {
  if ('queries' in source) return source.queries;
  const { candidates, context, grades } = source;
  return [{ id: '', candidates, context, ...(grades && { grades }) }];
}

/** Whether somebody judged a query. */
export const isJudged = (query: StudioQuery): query is JudgedQuery<object> => query.grades !== undefined;
