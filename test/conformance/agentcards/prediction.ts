import { ask, type Case } from './case.js';
import { byPreset, type Checks, expected, given, type Row, total, UNCAPPED } from './row.js';

/** The score of a tool after another one, over a real edge or none. */
function overEdge(row: Row, profile: object) {
  const { edgeWeight: weight, count } = row as { edgeWeight: number | null; count: number };
  const graph = { nodes: ['a', 'b'], edges: weight === null ? [] : [{ from: 'a', to: 'b', weight, count }] };
  return ask(profile, [{ ...row, id: 'b' }], { graph, tools: ['a'] });
}

const cooccurrence = async (row: Row): Promise<number | undefined> =>
  (await overEdge(row, { extends: ['next-tool'] })).column('cooccurrence');

/** next-tool over a given base, so that only the effect of earlier outcomes remains. */
const episodic = (capped: boolean) => ({
  extends: ['next-tool'],
  tier2_scorers: [
    { id: 'cooccurrence', expr: 'candidate.base', weight: 1 },
    ...['community', 'adamic_adar', 'page_rank'].map((id) => ({ id, enabled: false })),
  ],
  ...(capped ? {} : UNCAPPED),
});

function episodicChecks(row: Row): readonly Omit<Case, 'name'>[] {
  const { successes, failures, total: all } = row as { successes?: number; failures?: number; total?: number };
  const known = { successes: successes ?? 0, failures: failures ?? 0 };
  const outcomes = { ...known, unknown: (all ?? 0) - known.successes - known.failures };
  const context = { tools: ['a'], history: { x: outcomes } };
  const found = (capped: boolean) => async () =>
    (await ask(episodic(capped), [{ id: 'x', base: row['base'] }], context)).score();
  return [
    { expected: expected(row, 'confidenceClampedTo1'), found: found(false) },
    { expected: expected(row, 'confidenceWithGlobalCap095'), found: found(true) },
    {
      expected: row['excluded'] === true,
      found: async () =>
        (await ask(episodic(true), [{ id: 'x', base: row['base'] }], context)).ranking.refused.length === 1,
    },
  ];
}

/** The next tool. */
export const PREDICTION: Readonly<Record<string, Checks>> = {
  communityConfidence: (row) => [
    {
      expected: expected(row, 'confidence'),
      found: async () =>
        (
          await ask(
            {
              extends: ['next-tool'],
              measures: given(['importance', 'pageRank'], ['edge_weight', 'edgeWeight'], ['kinship', 'adamicAdar']),
              tier2_scorers: [{ id: 'page_rank', expr: '0.0' }],
            },
            [row],
          )
        ).column('community_confidence'),
    },
  ],
  countBoost: (row) => [{ expected: expected(row, 'boost'), found: () => cooccurrence({ ...row, edgeWeight: 0 }) }],
  cooccurrenceSeed: (row) => [{ expected: expected(row, 'confidence'), found: () => cooccurrence(row) }],
  cooccurrenceLater: (row) => [
    {
      expected: expected(row, 'confidence'),
      found: async () => {
        const base = { expr: 'min(measures.edge_weight, 0.6)', on_absent: 0.3 };
        const boosts = [
          { scorer: { expr: 'measures.edge_count' }, curve: 'log2', factor: 0.05, cap: 0.2 },
          { scorer: { expr: 'measures.edge_count >= 0 ? candidate.recency : 0.0' }, factor: 1, cap: 0.1 },
        ];
        const scorer = { id: 'cooccurrence', class: 'BoostedScorer', params: { base, boosts, max: 0.95 } };
        const later = { extends: ['next-tool'], tier2_scorers: [scorer] };
        return (await overEdge(row, later)).column('cooccurrence');
      },
    },
  ],
  episodic: episodicChecks,
  nextToolSeed: byPreset(
    'next-tool',
    { cooccurrence: 'cooccurrence', community: 'community', adamic_adar: 'adamicAdar', page_rank: 'pageRank' },
    {},
    { tools: ['any'] },
  ),
  capabilityPlaceholderSeed: byPreset(
    'next-capability',
    { overlap: 'toolsOverlap', success: 'successRate', centrality: 'hypergraphPageRank', semantic: 'semantic' },
    { tier1_scorers: [{ id: 'unreliable', enabled: false }] },
  ),
  alternativeScore: total('score', {
    tier2_scorers: given(['matched', 'matched']),
    adjustments: [{ id: 'alternative', multiply: 'candidate.multiplier' }],
  }),
};
