import { ask, only } from './case.js';
import { type Checks, expected, given, plugins, total, UNCAPPED } from './row.js';

/** mixed-dag in active search, with given relevance and boost. */
const mixed = (relevance: string, more: object = {}) => ({
  extends: ['mixed-dag'],
  measures: given(['semantic', relevance], ['boost', 'structuralBoost']),
  ...more,
});
const ACTIVE = { query: 'any' };

const discovery = {
  extends: ['mixed-dag'],
  plugins,
  measures: given(['overlap', 'overlap'], ['boost', 'clusterBoost']),
  tier2_scorers: [{ id: 'reliability', expr: '1.0' }],
  ...UNCAPPED,
};
/**
 * The later code: a confidence of 0.40 + 0.30 × discovery, at most 0.85; part of the workflow from a discovery of 0.40
 * on.
 */
const discovered = {
  plugins,
  tier2_scorers: [
    {
      id: 'confidence',
      class: 'BoostedScorer',
      params: {
        base: { expr: '0.40' },
        boosts: [{ scorer: { expr: 'candidate.discoveryScore' }, factor: 0.3 }],
        max: 0.85,
      },
    },
  ],
};

/** Capabilities for a workflow. */
export const MIXED: Readonly<Record<string, Checks>> = {
  reliabilityFactor: (row) => [
    {
      expected: expected(row, 'factor'),
      found: async () =>
        (await ask(mixed('semantic'), [{ semantic: 1, success_rate: row['successRate'] }], ACTIVE)).column(
          'reliability',
        ),
    },
  ],
  activeMatch: (row) => [
    {
      expected: expected(row, 'score'),
      found: async () => (await ask(mixed('semantic'), [{ ...row, success_rate: row['successRate'] }], ACTIVE)).score(),
    },
  ],
  activeMatchTransitive: (row) => {
    const dependencies = { tier2_scorers: [{ id: 'reliability', params: { dependencies: 'dependencySuccessRates' } }] };
    const candidate = { ...row, success_rate: row['successRate'] };
    return [
      {
        expected: expected(row, 'score'),
        found: async () => (await ask(mixed('semantic', dependencies), [candidate], ACTIVE)).score(),
      },
      {
        expected: expected(row, 'transitive'),
        found: async () =>
          (await ask(mixed('semantic', dependencies), [{ ...candidate, success_rate: 0.7 }], ACTIVE)).column(
            'reliability',
          ),
      },
    ];
  },
  mixedMultiplicative: (row) => {
    const candidate = { ...row, success_rate: row['successRate'] };
    const found = (more: object) => async () => (await ask(mixed('relevance', more), [candidate], ACTIVE)).score();
    return [
      { expected: expected(row, 'uncapped'), found: found(UNCAPPED) },
      { expected: expected(row, 'capped095'), found: found({}) },
    ];
  },
  capabilityDiscovery: (row) => [
    ...total('discoveryScore', discovery, { tools: ['any'] })(row),
    ...total('confidence', discovered)(row),
    {
      expected: expected(row, 'injectedIntoDag'),
      found: async () =>
        (await ask({ ...discovery, select: { min_score: 0.4 } }, [row], { tools: ['any'] })).ranking.selected.length ===
        1,
    },
  ],
  clusterPlusPageRankBoost: total(
    'boost',
    only('BoostedScorer', {
      base: { expr: 'candidate.cluster' },
      boosts: [{ scorer: { expr: 'candidate.pageRank' }, factor: 0.3 }],
    }),
  ),
  toolsOverlap: (row) => {
    // Without tools in use the scorer abstains, and the on_absent of its entry decides: here 0.
    const found = (measure: string) => async () =>
      (
        await ask(only('OverlapScorer', { measure, own: 'capabilityTools' }), [row], { tools: row['contextTools'] })
      ).score();
    return [
      { expected: expected(row, 'jaccard'), found: found('jaccard') },
      { expected: expected(row, 'containmentInCapability'), found: found('containment') },
    ];
  },
};
