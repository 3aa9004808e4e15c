import {
  abstain,
  type BatchVeto,
  defineVeto,
  type ParamsOf,
  type Run,
  type Score,
  valueOrError,
  z,
} from '../../src/sdk.js';
import { contextGraph } from './graph/context-graph.js';
import { pageRankOf, roundedRanks } from './graph/page-rank.js';
import { clusterParam, clustersOf } from './graph/spectral-clustering.js';
import type { ToolGraph } from './graph/tool-graph.js';
import { nodeIdOf, nodeParams } from './node-score.js';

type Params = ParamsOf<typeof ClusterHubVeto>;

/**
 * Passes only the hubs: of each cluster of tools and capabilities the `top` candidates with the highest PageRank over
 * the links, of equal ones the first ids. Refuses all others, and all of a cluster with fewer than `min_capabilities`.
 */
export class ClusterHubVeto implements BatchVeto<Params> {
  static readonly meta = defineVeto({
    summary: 'Refuses all but the hubs of each cluster.',
    reads: 'params',
    params: z.strictObject({
      ...nodeParams,
      clusters: clusterParam(),
      top: z.int().positive().default(1).describe('How many candidates of each cluster pass.'),
      min_capabilities: z.int().positive().default(2).describe('How many capabilities a cluster needs.'),
    }),
    scope: 'set',
    reasons: {
      hub: 'a hub of its cluster',
      not_hub: 'not among the first {top} of its cluster, whose hub is {hub}',
      minor: 'its cluster has fewer than {min} capabilities',
      unlinked: 'nothing links it with tools or capabilities',
      no_graph: 'the context has no graph',
    },
  });

  async prepare(params: Params, run: Run): Promise<Score<unknown, boolean>> {
    const graph = contextGraph(run.context, params.graph);
    if (graph === undefined) return (_candidate, _index, note) => abstain(note, 'no_graph');
    const clusters = await clustersOf(graph, params.clusters);
    const nodeOf = (candidate: unknown) => graph.numberOf(nodeIdOf(params.node, candidate));
    const sizes = capabilityCounts(graph, clusters);
    const hubs = nodesByRank(graph, clusters, candidateNodes(run.candidates, nodeOf));
    const { top, min_capabilities: min } = params;
    const passing = new Set([...hubs.values()].flatMap((ranked) => ranked.slice(0, top)));
    return (candidate, _index, note) => {
      const node = nodeOf(candidate);
      const cluster = node === undefined ? -1 : clusters[node]!;
      if (node === undefined || cluster < 0) {
        note?.('unlinked');
        return true;
      }
      if ((sizes.get(cluster) ?? 0) < min) {
        note?.('minor', { min });
        return true;
      }
      const isHub = passing.has(node);
      note?.(isHub ? 'hub' : 'not_hub', { top, hub: graph.ids[hubs.get(cluster)![0]!] });
      return !isHub;
    };
  }
}

/** The nodes of the candidates. A malformed candidate has none here, and fails when it is evaluated itself. */
function candidateNodes(
  candidates: readonly unknown[],
  nodeOf: (candidate: unknown) => number | undefined,
): ReadonlySet<number> {
  const nodes = candidates.map((candidate) => valueOrError(() => nodeOf(candidate)));
  return new Set(nodes.filter((node) => typeof node === 'number'));
}

/** The number of capabilities in each cluster. */
function capabilityCounts(graph: ToolGraph, clusters: Int32Array): ReadonlyMap<number, number> {
  const sizes = new Map<number, number>();
  for (const [node, cluster] of clusters.entries()) {
    if (graph.kindOf(node) === 'capability') sizes.set(cluster, (sizes.get(cluster) ?? 0) + 1);
  }
  return sizes;
}

/** Groups nodes by cluster, the highest PageRank first. */
function nodesByRank(
  graph: ToolGraph,
  clusters: Int32Array,
  nodes: ReadonlySet<number>,
): ReadonlyMap<number, number[]> {
  const values = roundedRanks(pageRankOf(graph, 'hypergraph', true, 0.85, 1e-12, 1000).values);
  const hubs = new Map<number, number[]>();
  for (const node of [...nodes].toSorted((a, b) => values[b]! - values[a]! || a - b)) {
    const cluster = clusters[node]!;
    const ranked = hubs.get(cluster);
    if (ranked) ranked.push(node);
    else hubs.set(cluster, [node]);
  }
  return hubs;
}
