import { ask, type Case, scored } from './case.js';
import { node } from './graph-case.js';
import type { SpectralCase, Vectors } from './vectors.js';

/** Numbers that are stored with nine decimals. */
const NINE = 2e-9;

/** Tools and capabilities in blocks. */
export function spectral({ spectral: { cases, boost } }: Vectors): Case[] {
  const of = cases.flatMap((one) => spectralCase(one));
  const { onCase } = boost;
  const on =
    cases.find(({ label }) => label === onCase) ??
    cases.find(({ label }) => onCase.startsWith(label.split(' ')[0] ?? ''));
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
  const [first = ''] = partition.A;
  const members = [...one.tools, ...one.capabilities];
  return [
    ...members.map(
      (id): Case => ({
        name: `${one.label}: cluster of ${id}`,
        expected: partition.A.includes(id) ? 0.5 : 0,
        // Two parts, regardless of the number of clusters that the eigenvalues suggest.
        found: () => scored('ClusterScorer', { clusters: 2 }, node(id), { graph, tools: [first] }),
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
    ...eigenvalues.map(
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
