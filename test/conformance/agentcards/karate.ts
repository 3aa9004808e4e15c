import { ask, type Case, only, scored } from './case.js';
import { fact, node, PAGE_RANK, RAW } from './graph-case.js';
import type { Karate, Vectors } from './vectors.js';

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

/** The modularity of the communities that the scorer finds, by the definition (Newman 2004), over unweighted edges. */
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

const graphOf = ({ nodeCount, edges, edgeWeights }: Karate, directed: boolean): object => ({
  directed,
  nodes: Array.from({ length: nodeCount }, (_, i) => i),
  edges: edges.map(([from, to], i) => ({ from, to, weight: edgeWeights[i] })),
});
