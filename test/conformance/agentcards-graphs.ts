import { ask, type Case, only, scored } from './agentcards-case.js';
import type { Directed, Karate, SpectralCase, Vectors } from './agentcards-vectors.js';

/** As the reference asks of PageRank; all else agrees to 1e-9. */
const PAGE_RANK = 1e-6;
/** Numbers that are stored with nine decimals. */
const NINE = 2e-9;

const RAW = { direct_edge: 'ignore', divide_by: 1, cap: 'none' };

/** Zachary's karate club. */
export function karate({ karate: club }: Vectors): Case[] {
  const nodes = Array.from({ length: club.nodeCount }, (_, i) => String(i));
  const graph = graphOf(club, false);
  const ranks = (weighted: boolean) => ask(only('PageRankScorer', { weighted }), nodes.map(node), { graph });
  const expected = [
    [false, club.pagerankUnweighted],
    [true, club.pagerankWeighted],
  ] as const;
  const pageRanks = expected.flatMap(([weighted, values]) =>
    Object.entries(values).map(
      ([id, value]): Case => ({
        name: `karate PageRank ${weighted ? 'weighted' : 'unweighted'} ${id}`,
        expected: value,
        tolerance: PAGE_RANK,
        found: async () => (await ranks(weighted)).column('asked', Number(id)),
      }),
    ),
  );
  const related =
    (params: object, [a, b]: readonly [number, number]) =>
    () =>
      scored('AdamicAdarScorer', params, node(String(b)), { graph, tools: [a] });
  const pairs = club.adamicAdar.flatMap(
    ({ pair, adamicAdar, normalizedHalfCapped, graphScoreWithContextOfOne }): Case[] => [
      { name: `karate Adamic-Adar ${pair.join('–')}`, expected: adamicAdar, found: related(RAW, pair) },
      {
        name: `karate halved ${pair.join('–')}`,
        expected: normalizedHalfCapped,
        found: related({ direct_edge: 'ignore' }, pair),
      },
      { name: `karate graph score ${pair.join('–')}`, expected: graphScoreWithContextOfOne, found: related({}, pair) },
    ],
  );
  const scores = Object.entries(club.graphScores.scores).map(
    ([id, value]): Case => ({
      name: `karate graph score of ${id}`,
      expected: value,
      found: () => scored('AdamicAdarScorer', {}, node(id), { graph, tools: club.graphScores.context }),
    }),
  );
  const { density } = club;
  const oneWay = graphOf(club, true);
  return [
    ...pageRanks,
    ...pairs,
    ...scores,
    fact('karate density', density['undirected_2m_over_n(n-1)'], { graph }, 'signals.graph.density'),
    fact('karate alpha', density.alphaFromUndirectedDensity, { graph }, 'signals.alpha'),
    fact(
      'karate density, an edge one way',
      density['directedFormulaOfSeed_m_over_n(n-1)'],
      { graph: oneWay },
      'signals.graph.density',
    ),
    fact('karate alpha, an edge one way', density.alphaFromSeedFormula, { graph: oneWay }, 'signals.alpha'),
    {
      name: 'karate: 0 and 33 apart',
      expected: 0,
      found: () => scored('CommunityScorer', {}, node('33'), { graph, tools: ['0'] }),
    },
    { name: 'karate: modularity', expected: true, found: async () => (await modularity(club, nodes, graph)) >= 0.38 },
  ];
}

/** The modularity of the communities that the scorer sees, by the definition (Newman 2004), over unweighted edges. */
async function modularity(club: Karate, nodes: readonly string[], graph: object): Promise<number> {
  const together = await Promise.all(
    nodes.map((id) => ask(only('CommunityScorer', { weighted: false }), nodes.map(node), { graph, tools: [id] })),
  );
  const degree = nodes.map((id) => club.edges.filter((edge) => edge.map(String).includes(id)).length);
  const linked = new Set(club.edges.flatMap(([a, b]) => [`${a} ${b}`, `${b} ${a}`]));
  const twice = 2 * club.edges.length;
  let sum = 0;
  for (const [i] of nodes.entries()) {
    for (const [j] of nodes.entries()) {
      if (together[i]?.column('asked', j) !== 1) continue;
      sum += (linked.has(`${i} ${j}`) ? 1 : 0) - ((degree[i] ?? 0) * (degree[j] ?? 0)) / twice;
    }
  }
  return sum / twice;
}

/** Eight tools with directed, weighted edges. */
export function smallDirected({ smallDirected: small }: Vectors): Case[] {
  const graph = { nodes: small.nodes, edges: small.edges };
  const pageRanks = (
    [
      [true, small.pagerankWeighted],
      [false, small.pagerankUnweighted],
    ] as const
  ).flatMap(([weighted, values]) =>
    Object.entries(values).map(
      ([id, expected]): Case => ({
        name: `PageRank ${weighted ? 'weighted' : 'unweighted'} of ${id}`,
        expected,
        tolerance: PAGE_RANK,
        found: () => scored('PageRankScorer', { weighted }, node(id), { graph }),
      }),
    ),
  );
  const pairs = small.adamicAdar.pairs.flatMap((pair): Case[] => {
    // A pair has no order: what the graph does not have cannot be the tool in use.
    const [tool, candidate] = small.nodes.includes(pair.pair[0]) ? pair.pair : [pair.pair[1], pair.pair[0]];
    const found = (params: object) => () =>
      scored('AdamicAdarScorer', params, node(candidate), { graph, tools: [tool] });
    const name = pair.pair.join('–');
    return [
      { name: `${name}, neighbours`, expected: pair.adamicAdarDistinctNeighborDegree, found: found(RAW) },
      { name: `${name}, edges`, expected: pair.adamicAdarTotalEdgeDegree, found: found({ ...RAW, degree: 'edges' }) },
      { name: `${name}, score by neighbours`, expected: pair.graphScoreDistinct, found: found({}) },
      { name: `${name}, score by edges`, expected: pair.graphScoreTotalEdge, found: found({ degree: 'edges' }) },
    ];
  });
  const paths = small.paths.flatMap(
    ({ from, to, hops, pathConfidence, cheapestPathCostInverseWeight: way }): Case[] => {
      const found = (params: object) => () => scored('PathScorer', params, node(to), { graph, tools: [from] });
      const name = `${from} → ${to}`;
      return [
        { name: `${name}, hops`, expected: hops, found: found({ give: 'hops' }) },
        { name: `${name}, confidence`, expected: pathConfidence, found: found({}) },
        {
          name: `${name}, cost`,
          expected: way && costOf(small, way),
          found: found({ path: 'cheapest', give: 'cost' }),
        },
      ];
    },
  );
  const { context, items } = small.hybrid;
  const search = (onAbsent: 'skip' | 0, tools: readonly string[]) => async (index: number) =>
    (await ask(hybridOf(onAbsent), items, { graph, tools })).score(index);
  const hybrid = items.flatMap(({ id, finalScore, literalZeroForAbsent, semantic }, i): Case[] => [
    { name: `hybrid ${id}`, expected: finalScore, found: () => search('skip', context)(i) },
    { name: `hybrid ${id}, absent as 0`, expected: literalZeroForAbsent, found: () => search(0, [])(i) },
    { name: `hybrid ${id}, without tools in use`, expected: semantic, found: () => search('skip', [])(i) },
  ]);
  return [
    ...pageRanks,
    ...pairs,
    ...paths,
    ...hybrid,
    fact('density', small.density.value, { graph }, 'signals.graph.density'),
    fact('alpha', small.density.adaptiveAlpha, { graph }, 'signals.alpha'),
  ];
}

/** The preset tool-search, whose text score is given. */
const hybridOf = (onAbsent: 'skip' | 0) => ({
  extends: ['tool-search'],
  tier2_scorers: [
    { id: 'text', expr: 'candidate.semantic', weight: 'signals.alpha' },
    { id: 'related', on_absent: onAbsent },
  ],
});

const costOf = ({ edges }: Directed, way: readonly string[]): number =>
  way.slice(1).reduce((sum, to, i) => {
    const edge = edges.find((one) => one.from === way[i] && one.to === to);
    return sum + 1 / Math.max(edge?.weight ?? Number.NaN, 0.1);
  }, 0);

/** Tools and capabilities in blocks. */
export function spectral({ spectral: { cases, boost } }: Vectors): Case[] {
  const of = cases.flatMap((one) => spectralCase(one));
  const { label } = cases.find((one) => boost.onCase.startsWith(one.label.split(' ')[0] ?? '')) ?? {};
  const on = cases.find((one) => one.label === label);
  if (on === undefined) return of;
  const graph = bipartite(on);
  const boosted = (weight: number) => ({
    plugins: ['agentcards'],
    measures: [
      { id: 'cluster', class: 'ClusterScorer', params: { same: 0.5, partial: 0.25 } },
      { id: 'rank', class: 'PageRankScorer', params: { over: 'hypergraph' } },
    ],
    tier2_scorers: [{ id: 'asked', expr: `measures.cluster + ${weight.toFixed(2)} * measures.rank` }],
  });
  const found = (weight: number, id: string) => async () =>
    (await ask(boosted(weight), [node(id)], { graph, tools: boost.context })).score();
  const { expected, withPageRankTerm } = boost;
  return [
    ...of,
    ...Object.entries(expected).map(
      ([id, value]): Case => ({ name: `boost of ${id}`, expected: value, tolerance: NINE, found: found(0, id) }),
    ),
    ...Object.entries(withPageRankTerm.expected).map(
      ([id, value]): Case => ({
        name: `boost of ${id} with PageRank`,
        expected: value,
        tolerance: NINE,
        found: found(withPageRankTerm.weight, id),
      }),
    ),
  ];
}

function spectralCase(one: SpectralCase): Case[] {
  const graph = bipartite(one);
  const clustered = {
    plugins: ['agentcards'],
    signals: [{ id: 'clusters', class: 'ClusterSignal', on_error: 'fail' as const }],
  };
  const read = (expr: string) => async () =>
    (await ask({ ...clustered, tier2_scorers: [{ id: 'asked', expr }] }, [{}], { graph })).score();
  const { expectedPartition: partition, laplacianEigenvalues: eigenvalues, eigengapK } = one;
  // An isolated node has the eigenvalue 1, and is none of those that are clustered.
  const isolated = partition.undetermined?.length ?? 0;
  const linked = eigenvalues.toSpliced(
    eigenvalues.findIndex((value) => Math.abs(value - 1) < NINE),
    isolated,
  );
  const [first = ''] = partition.A;
  const members = [...one.tools, ...one.capabilities];
  return [
    ...members.map(
      (id): Case => ({
        name: `${one.label}: cluster of ${id}`,
        expected: partition.A.includes(id) ? 0.5 : 0,
        found: () => scored('ClusterScorer', {}, node(id), { graph, tools: [first] }),
      }),
    ),
    ...Object.entries(one.hypergraphPageRank).map(
      ([id, expected]): Case => ({
        name: `${one.label}: PageRank of ${id}`,
        expected,
        tolerance: NINE,
        found: () => scored('PageRankScorer', { over: 'hypergraph' }, node(id), { graph }),
      }),
    ),
    ...(isolated > 0 ? linked : eigenvalues).map(
      (expected, k): Case => ({
        name: `${one.label}: eigenvalue ${k + 1}`,
        expected,
        tolerance: NINE,
        found: read(`signals.clusters.eigenvalues[${k}]`),
      }),
    ),
    {
      name: `${one.label}: clusters`,
      expected: eigengapK.projectRuleStartsAtSecondGap,
      found: read('signals.clusters.count'),
    },
  ];
}

const bipartite = ({ tools, capabilities, links }: SpectralCase): object => ({
  nodes: [...tools, ...capabilities.map((id) => ({ id, kind: 'capability' }))],
  edges: links.map(({ tool, capability, weight }) => ({ from: capability, to: tool, weight })),
});

const graphOf = ({ nodeCount, edges, edgeWeights }: Karate, directed: boolean): object => ({
  directed,
  nodes: Array.from({ length: nodeCount }, (_, i) => i),
  edges: edges.map(([from, to], i) => ({ from, to, weight: edgeWeights[i] })),
});

const node = (id: string): { readonly id: string } => ({ id });

/** A signal of the preset tool-search. */
export const fact = (name: string, expected: number, context: object, read: string): Case => ({
  name,
  expected,
  found: async () => {
    const measured = {
      extends: ['tool-search'],
      measures: [{ id: 'asked', expr: read }],
      tier2_scorers: [{ id: 'text', expr: '1.0' }],
    };
    return (await ask(measured, [{ name: 'any' }], context)).column('asked');
  },
});
