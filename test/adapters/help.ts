import { createPipeline } from 'assize';

/** Counts the words of the query in a document; a candidate may have further fields. */
const profile = {
  name: 'help',
  serve: { text: 'body', query: 'search', relevance: 'score' as const },
  tier1_scorers: [{ id: 'retired', expr: 'candidate.?retired.orValue(false)' }],
  tier2_scorers: [
    { id: 'has', expr: 'candidate.body.contains(context.search) ? 1.0 : 0.25' },
    { id: 'boost', expr: 'candidate.?boost.orValue(0.0) * context.?boost.orValue(1.0)' },
  ],
  combine: 'weighted_sum' as const,
};

export const help = () => createPipeline(profile);

/** One scorer fails on documents without a number. */
export const failing = () =>
  createPipeline({
    tier2_scorers: [
      { id: 'long', expr: 'size(candidate.text) / 100.0' },
      { id: 'broken', expr: '1.0 / candidate.zero', on_error: 'skip' },
    ],
  });
