import { ask, type Case, chainOf, only, scored, weightsOf } from './agentcards-case.js';
import { fact } from './agentcards-graphs.js';

/** One case of a family, as the file has it: null is absent. */
type Row = Readonly<Record<string, unknown>>;

type Checks = (row: Row) => readonly Omit<Case, 'name'>[];

const number = (row: Row, key: string): number => Number(row[key]);
const numbers = (row: Row, key: string): readonly number[] => row[key] as readonly number[];
const expected = (row: Row, key: string): Case['expected'] => (row[key] as Case['expected']) ?? null;

/** The final score is not held to the pipeline's cap. */
const UNCAPPED = { adjustments: [{ id: 'cap', enabled: false }] };
const plugins = ['agentcards'];

/** The final score of one candidate. */
const total =
  (key: string, profile: object, context: object = {}): Checks =>
  (row) => [{ expected: expected(row, key), found: async () => (await ask(profile, [row], context)).score() }];

/** The final score of one candidate by a preset, whose scorers' numbers are given: the ids, with the keys that have them. */
const byPreset =
  (preset: string, scores: Readonly<Record<string, string>>, more: object = {}, context: object = {}): Checks =>
  (row) => [
    {
      expected: expected(row, 'combined' in row ? 'combined' : 'score'),
      found: async () => {
        const weight = await weightsOf(preset);
        const scorers = Object.entries(scores).map(([id, key]) => ({
          id,
          expr: `candidate.${key}`,
          weight: weight(id),
        }));
        return (await ask({ extends: [preset], tier2_scorers: scorers, ...UNCAPPED, ...more }, [row], context)).score();
      },
    },
  ];

/** A graph with so many nodes and edges. */
function graphOfSize(nodes: number, edges: number): object {
  const ids = Array.from({ length: nodes }, (_, i) => `n${i}`);
  const pairs = ids.flatMap((from) => ids.flatMap((to) => (from === to ? [] : [{ from, to }])));
  return { nodes: ids, edges: pairs.slice(0, edges) };
}

const STAGES: Readonly<Record<string, number>> = { cold: 0, growing: 0.05, mature: 0.5 };

/** The report of dag-suggest, over scores that are given, and weights by a density that is given or by a line. */
const confidenceOf = (weights: object, params: object) => ({
  extends: ['dag-suggest'],
  plugins,
  signals: [{ id: 'weights', ...weights }],
  tier2_scorers: [
    { id: 'hybrid', expr: 'candidate.hybrid' },
    { id: 'page_rank', expr: 'candidate.pageRank' },
  ],
  report: [{ id: 'confidence', params }],
});
const byDensity = { params: { by: 'context.density' } };

/** What the later code draws between the rows of the seed's table. */
const line = {
  class: 'StageSignal',
  params: {
    by: 'context.alpha',
    anchors: [
      { at: 0.5, values: { hybrid: 0.55, page_rank: 0.3, path: 0.15 } },
      { at: 1, values: { hybrid: 0.85, page_rank: 0.05, path: 0.1 } },
    ],
  },
};
/** Amends the preset's signal: without stages, since it has anchors. */
const alongTheLine = { class: 'StageSignal', params: line.params };

const weightChecks = (row: Row, signals: readonly object[], context: object): readonly Omit<Case, 'name'>[] => {
  const names = ['hybrid', 'page_rank', 'path'];
  const tier2 = names.map((name) => ({ id: `w_${name}`, expr: `signals.weights.${name}` }));
  return names.map((name, k) => ({
    expected: numbers(row, 'weights')[k] ?? null,
    found: async () => (await ask({ plugins, signals, tier2_scorers: tier2 }, [{}], context)).column(`w_${name}`),
  }));
};

/** Candidates whose ways are worth so much: from the first to each of the next, over nodes of their own. */
function ways(confidences: readonly number[], worth: readonly number[]) {
  const edges = confidences.flatMap((confidence, k) => {
    const hops = worth.includes(confidence) ? worth.indexOf(confidence) + 1 : worth.length + 1;
    const stops = ['c0', ...Array.from({ length: hops - 1 }, (_, i) => `c${k + 1} stop ${i}`), `c${k + 1}`];
    return stops.slice(1).map((to, i) => ({ from: stops[i] ?? '', to }));
  });
  return { nodes: ['c0'], edges };
}

const fromAlpha: Checks = (row) => {
  const [paths, ranks] = [numbers(row, 'pathConfidences'), numbers(row, 'pageRanksTop3')];
  const count = Math.max(ranks.length, paths.length + 1);
  const candidates = Array.from({ length: count }, (_, i) => ({
    id: `c${i}`,
    hybrid: i === 0 ? number(row, 'hybrid') : -i,
    pageRank: ranks[i],
  }));
  const graph = ways(paths, [0.95, 0.8, 0.65]);
  const profile = {
    ...confidenceOf(alongTheLine, { max: 100, steps: 100 }),
    tier2_scorers: [
      { id: 'hybrid', expr: 'candidate.hybrid' },
      { id: 'page_rank', expr: 'candidate.pageRank', weight: 0 },
    ],
  };
  const found = (field: string) => async () =>
    (await ask(profile, candidates, { alpha: row['alpha'], graph })).report('confidence', field);
  return [
    { expected: expected(row, 'pageRankScore'), found: found('page_rank') },
    { expected: expected(row, 'pathStrength'), found: found('path') },
    { expected: expected(row, 'confidence'), found: found('confidence') },
  ];
};

/** next-tool, where co-occurrence is read over a real edge. */
const cooccurrence = (row: Row): Promise<number | undefined> => {
  const { edgeWeight: weight, count } = row as { edgeWeight: number | null; count: number };
  const graph = { nodes: ['a', 'b'], edges: weight === null ? [] : [{ from: 'a', to: 'b', weight, count }] };
  return ask({ extends: ['next-tool'] }, [{ id: 'b' }], { graph, tools: ['a'] }).then((asked) =>
    asked.column('cooccurrence'),
  );
};

const given = (...ids: readonly (readonly [id: string, key: string])[]) =>
  ids.map(([id, key]) => ({ id, expr: `candidate.${key}` }));

/** next-tool over a base that is given, so that what is left is what earlier outcomes do to it. */
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

/** mixed-dag in active search, over relevance and boost that are given. */
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
/** The later code: a confidence of 0.40 + 0.30 × discovery, at most 0.85; into the workflow from a discovery of 0.40 on. */
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

/** Two nodes with one neighbour in common, which has so many. */
function star(degree: number): object {
  return { edges: Array.from({ length: degree }, (_, i) => ({ from: 'hub', to: `n${i}` })) };
}

const single: Checks = (row) =>
  (row['byDegree'] as readonly Row[]).flatMap((one) => {
    const found = (params: object) => () =>
      scored(
        'AdamicAdarScorer',
        { direct_edge: 'ignore', ...params },
        { id: 'n1' },
        { graph: star(number(one, 'degree')), tools: ['n0'] },
      );
    return [
      { expected: expected(one, 'adamicAdar'), found: found({ divide_by: 1, cap: 'none' }) },
      { expected: expected(one, 'halfCapped'), found: found({}) },
    ];
  });

/** How each family is asked of the pack and its presets. */
export const FORMULAS: Readonly<Record<string, Checks>> = {
  adaptiveAlpha: (row) => {
    const context = { graph: graphOfSize(number(row, 'nodes'), number(row, 'edges')) };
    return [
      fact('', number(row, 'density'), context, 'signals.graph.density'),
      fact('', number(row, 'alpha'), context, 'signals.alpha'),
    ];
  },
  expansionAndStage: (row) => {
    const context = { density: row['density'] };
    const read = (expr: string) => async () =>
      (
        await ask(
          { ...confidenceOf(byDensity, {}), measures: [{ id: 'asked', expr }] },
          [{ hybrid: 1, pageRank: 0 }],
          context,
        )
      ).column('asked');
    return [
      { expected: 1, found: read(`signals.weights.stage == "${String(row['stage'])}" ? 1.0 : 0.0`) },
      { expected: expected(row, 'multiplier'), found: read('signals.weights.pool') },
      {
        expected: expected(row, 'searchLimit'),
        found: read(`ceil(signals.weights.pool * ${number(row, 'limit').toFixed(1)})`),
      },
      ...['hybrid', 'page_rank', 'path'].map((name, k) => ({
        expected: numbers(row, 'weights')[k] ?? null,
        found: read(`signals.weights.${name}`),
      })),
    ];
  },
  pageRankBoost: byPreset('dag-suggest', { hybrid: 'final', page_rank: 'pageRank' }),
  dagConfidence: (row) => {
    const context = { density: STAGES[String(row['stage'])] };
    const found = (max: number) => async () =>
      (await ask(confidenceOf(byDensity, { no_path: row['path'], max }), [row], context)).report(
        'confidence',
        'confidence',
      );
    const capped = 'capped095' in row ? [{ expected: expected(row, 'capped095'), found: found(0.95) }] : [];
    return [{ expected: expected(row, 'confidence'), found: found(100) }, ...capped];
  },
  weightsFromLocalAlpha: (row) => weightChecks(row, [{ id: 'weights', ...line }], { alpha: row['alpha'] }),
  dagConfidenceFromAlpha: fromAlpha,
  pathConfidence: (row) => {
    const hops = Math.max(0, number(row, 'hops'));
    const context = { graph: chainOf(Array.from({ length: hops }, () => 1)), tools: ['n0'] };
    return [
      { expected: expected(row, 'confidence'), found: () => scored('PathScorer', {}, { id: `n${hops}` }, context) },
    ];
  },
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
        const boosts = [
          { scorer: { expr: 'candidate.count' }, curve: 'log2', factor: 0.05, cap: 0.2 },
          { scorer: { expr: 'candidate.recency' }, factor: 1, cap: 0.1 },
        ];
        const base = { expr: 'min(candidate.edgeWeight, 0.6)', on_absent: 0.3 };
        return (await ask(only('BoostedScorer', { base, boosts, max: 0.95 }), [row])).score();
      },
    },
  ],
  episodic: episodicChecks,
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
    const found = (measure: string) => () =>
      scored('OverlapScorer', { measure, own: 'capabilityTools' }, row, { tools: row['contextTools'] });
    return [
      { expected: expected(row, 'jaccard'), found: found('jaccard') },
      { expected: expected(row, 'containmentInCapability'), found: found('containment') },
    ];
  },
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
  edgeWeight: (row) => {
    const graph = { edges: [{ from: 'a', to: 'b', type: row['type'], source: row['source'] }] };
    return [
      {
        expected: expected(row, 'weight'),
        found: () => scored('EdgeScorer', {}, { id: 'b' }, { graph, tools: ['a'] }),
      },
    ];
  },
  pathCost: (row) => {
    const weights = numbers(row, 'edgeWeights');
    const context = { graph: chainOf(weights), tools: ['n0'] };
    const found = () => scored('PathScorer', { path: 'cheapest', give: 'cost' }, { id: `n${weights.length}` }, context);
    return [{ expected: expected(row, 'cost'), found }];
  },
  alternativeScore: total('score', {
    tier2_scorers: given(['matched', 'matched']),
    adjustments: [{ id: 'alternative', multiply: 'candidate.multiplier' }],
  }),
  adamicAdarSingleCommonNeighbor: single,
};
