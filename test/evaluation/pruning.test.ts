import { expect, test } from 'vitest';
import { createPipeline, type ProfileInput } from 'assize';
import { readQueries, readTools, type Tool } from './tools.js';

/** The best tools for a query by words first, and by meaning. */
const profile: ProfileInput = {
  tier2_scorers: [
    {
      id: 'words',
      class: 'ScaledScorer',
      weight: 2,
      params: { scorer: { class: 'BM25Scorer', params: { fields: ['name', 'description'], plurals: 'english' } } },
    },
    {
      id: 'meaning',
      class: 'SemanticSimilarityScorer',
      on_absent: 0,
      params: { text: ['name', 'description'], embedder: 'lexical' },
    },
  ],
  select: { top: 5 },
};

test('pruning selects the same tools for real queries, and skips the meaning of most of them', async () => {
  const [tools, queries] = [await readTools(), await readQueries()];
  const pipeline = await createPipeline<Tool>(profile);
  let asked = 0;
  for (const { text: query } of queries) {
    // oxlint-disable-next-line no-await-in-loop -- one after another: they share what was embedded
    const [pruned, whole] = [
      await pipeline.rank(tools, { query }),
      await pipeline.rank(tools, { query }, { prune: false }),
    ];
    expect(pruned.selected).toEqual(whole.selected);
    asked += pruned.pruned?.entries[0]?.evaluated ?? tools.length;
  }
  expect(asked / queries.length / tools.length).toBeLessThan(0.25);
});
