import type { UnitExample } from 'assize/testing';

/** Tools and capabilities with the edges between them: a mutual pair, a loop, and an isolated node. */
const graph = {
  nodes: [
    'git',
    'install',
    'test',
    'lonely',
    { id: 'release', kind: 'capability' },
    { id: 'check', kind: 'capability' },
  ],
  edges: [
    { from: 'git', to: 'install', weight: 0.9, count: 7 },
    { from: 'install', to: 'test', weight: 0.8, count: 3 },
    { from: 'test', to: 'install', weight: 0.1 },
    { from: 'test', to: 'test', weight: 1 },
    { from: 'test', to: 'deploy', type: 'sequence', source: 'observed' },
    { from: 'release', to: 'deploy' },
    { from: 'release', to: 'test' },
    { from: 'check', to: 'test' },
    { from: 'check', to: 'install', weight: 0 },
  ],
};

const candidates = [
  { id: 'git', success_rate: 0.95, tools_used: ['git'] },
  { id: 'install', success_rate: 0.5, tools_used: [] },
  { id: 'test', success_rate: 0.2, needs: [0.9, 0.4] },
  { id: 'deploy', success_rate: null, tools_used: ['test', 'test', 'deploy'] },
  { id: 'lonely', success_rate: 0, needs: [] },
  { id: 'release', success_rate: 0.9, tools_used: ['deploy', 'test'] },
  { id: 'check', success_rate: 1, tools_used: ['install', 'test', 'git'] },
  { id: 'unheard_of' },
  {},
];
const odd = [...candidates, { id: { of: 'a map' }, success_rate: 1.5, tools_used: 'git' }];

const context = { graph, tools: ['git', 'test', 'gone'] };
const history = {
  git: { successes: 9, failures: 1 },
  install: { successes: 1, failures: 2, unknown: 4 },
  lonely: { unknown: 3 },
};
const episodes = [{ tool: 'git', success: true }, { tool: 'test', success: false }, { tool: 'test' }];
const undirected = { ...graph, directed: false };

/** Each with a graph, without tools in use, and without a context. */
const related = (params: Readonly<Record<string, unknown>> = {}): UnitExample[] => [
  { candidates, params, context },
  { candidates, params, context: { graph: undirected, tools: ['release'] } },
  { candidates, params, context: { graph } },
  { candidates, params },
  { candidates: odd, params, context, mayFail: true },
];

/** Examples of every unit of the pack `agentcards`, by class name. */
export const agentcardsExamples: Readonly<Record<string, readonly UnitExample[]>> = {
  AdamicAdarScorer: [
    ...related(),
    { candidates, params: { degree: 'edges', direct_edge: 'ignore', divide_by: 1, cap: 'none' }, context },
  ],
  ClusterHubVeto: [
    { candidates, params: { min_capabilities: 1, clusters: 1 }, context },
    { candidates },
    { candidates: odd, context, mayFail: true },
  ],
  ClusterScorer: [...related(), { candidates, params: { partial: 0.25, clusters: 3 }, context }],
  ClusterSignal: [
    { candidates, context },
    { candidates, params: { clusters: 2 }, context: { graph: undirected } },
    { candidates },
  ],
  CommunityScorer: [...related(), { candidates, params: { resolution: 2, seed: 7, weighted: false }, context }],
  DagConfidence: [
    {
      candidates,
      params: {
        hybrid: 'hybrid',
        page_rank: 'rank',
        weights: '{"hybrid": 0.55, "page_rank": 0.3, "path": 0.15}',
        warn_below: 0.9,
      },
      context,
      profile: {
        plugins: ['agentcards'],
        tier2_scorers: [
          { id: 'hybrid', expr: 'candidate.success_rate', on_absent: 0 },
          { id: 'rank', class: 'PageRankScorer' },
        ],
      },
    },
  ],
  EdgeScorer: [...related(), { candidates, params: { give: 'count', direction: 'either' }, context }],
  FailureRateVeto: [
    { candidates, context: { history } },
    {
      candidates,
      params: { min_observations: 2, prior: { successes: 1, failures: 1 } },
      context: { history: episodes },
    },
    { candidates },
    { candidates: odd, context: { history }, mayFail: true },
  ],
  GraphSignal: [{ candidates, context }, { candidates }],
  HypergraphNeighbourScorer: related(),
  OutcomeRateScorer: [
    { candidates, context: { history } },
    { candidates, params: { of: 'failures', prior: { successes: 2, failures: 1 } }, context: { history: episodes } },
    { candidates },
    { candidates: odd, context: { history }, mayFail: true },
  ],
  OverlapScorer: [
    { candidates, params: { measure: 'jaccard' }, context },
    { candidates, params: { measure: 'containment', min: 0.5 }, context },
    { candidates, params: { measure: 'containment' } },
    { candidates: odd, params: { measure: 'jaccard' }, context, mayFail: true },
  ],
  PageRankScorer: [
    ...related(),
    ...['times_n', 'max', 'rank'].map((scale) => ({ candidates, params: { scale, over: 'hypergraph' }, context })),
    { candidates, params: { iterations: 1, damping: 0.5, weighted: false }, context },
  ],
  PathScorer: [
    ...related(),
    { candidates, params: { path: 'cheapest', give: 'cost' }, context },
    { candidates, params: { give: 'hops' }, context },
  ],
  ReliabilityScorer: [
    { candidates },
    { candidates, params: { dependencies: 'needs', low_factor: 0.5 } },
    { candidates: odd, mayFail: true },
  ],
  StageSignal: [
    {
      candidates,
      params: {
        by: 'context.density',
        stages: [
          { name: 'cold', below: 0.01, values: { text: 0.8 } },
          { name: 'mature', values: { text: 0.5 } },
        ],
      },
      context: { density: 0.01 },
    },
    {
      candidates,
      params: {
        by: 'context.density',
        anchors: [
          { at: 0, values: { text: 1 } },
          { at: 0.25, values: { text: 0.5 } },
        ],
      },
    },
  ],
};
