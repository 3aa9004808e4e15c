import type { QueryData } from './studio-data.js';

/** The part of what a page gets that differs from query to query. */
export const queryDataOf = ({ grades, missing, group, others, ...data }: QueryData): QueryData => ({
  scores: data.scores,
  refusals: data.refusals,
  signals: data.signals,
  curves: data.curves,
  context: data.context,
  candidates: data.candidates,
  ...(grades && { grades }),
  ...(missing && { missing }),
  ...(group !== undefined && { group }),
  ...(others && { others }),
});
