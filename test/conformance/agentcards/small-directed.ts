import { ask, type Case, scored } from './case.js';
import { fact, node, PAGE_RANK, RAW } from './graph-case.js';
import type { Directed, Vectors } from './vectors.js';

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
    // A pair has no order: a tool that is not in the graph cannot be the one in use.
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

/** The preset tool-search with a given text score. */
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
