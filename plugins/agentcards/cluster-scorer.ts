import { type BatchScorer, defineScorer, type ParamsOf, type Run, type Score, z } from '../../src/sdk.js';
import { targetsOf } from './graph/csr.js';
import { hypergraphOf } from './graph/hypergraph.js';
import { clusterParam, clustersOf } from './graph/spectral-clustering.js';
import type { ToolGraph } from './graph/tool-graph.js';
import { abstainAlways, graphAndTools, nodeReasons, relatedParams, scoreByNode } from './node-score.js';

type Params = ParamsOf<typeof ClusterScorer>;

/**
 * Scores whether a capability is in the active cluster, that of most tools in use (of several the one with the first
 * id): `same` if it is, else `partial` times the share of its tools that are. Clusters are found by the links between
 * tools and the capabilities that use them.
 */
export class ClusterScorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary:
      'Favours capabilities that belong to the tools in use, by how tools and capabilities are linked (spectral).',
    reads: 'params',
    params: z.strictObject({
      ...relatedParams,
      clusters: clusterParam(),
      same: z.number().nonnegative().default(0.5).describe('The score of one in the active cluster.'),
      partial: z
        .number()
        .nonnegative()
        .default(0)
        .describe(
          'The score of another whose tools are all in the active cluster; with fewer of them it has that share.',
        ),
    }),
    range: ({ same, partial }) => [0, Math.max(same, partial)],
    scope: 'candidate',
    reasons: {
      ...nodeReasons,
      same: 'in the cluster of {id}, a tool in use',
      partial: '{share:percent} of its tools are in the cluster of {id}, a tool in use',
      unlinked: 'no tool in use is linked to any capability',
      too_few: 'there are fewer than two capabilities',
    },
  });

  async prepare({ clusters: count, same, partial, ...params }: Params, run: Run): Promise<Score<unknown>> {
    const found = graphAndTools(params, run.context);
    if (typeof found === 'string') return abstainAlways(found);
    const { graph, used } = found;
    if (graph.capabilityCount < 2) return scoreByNode(graph, params.node, 0, (_, note) => scoreZero(note, 'too_few'));
    const clusters = await clustersOf(graph, count);
    const active = activeCluster(clusters, used);
    if (active === undefined) return scoreByNode(graph, params.node, 0, (_, note) => scoreZero(note, 'unlinked'));
    const id = graph.ids[used.toSorted((a, b) => a - b).find((tool) => clusters[tool] === active)!]!;
    return scoreByNode(graph, params.node, 0, (node, note) => {
      if (clusters[node] === active) {
        note?.('same', { id });
        return same;
      }
      const share = clusterShare(graph, node, clusters, active);
      note?.('partial', { share, id });
      return partial * share;
    });
  }
}

/** Scores 0 for a reason. */
function scoreZero(note: ((reason: string) => void) | undefined, reason: string): number {
  note?.(reason);
  return 0;
}

/** The cluster with most of the tools; of several the lowest number, which is that of the first member. */
function activeCluster(clusters: Int32Array, used: readonly number[]): number | undefined {
  const counts = new Map<number, number>();
  for (const tool of used) {
    const cluster = clusters[tool]!;
    if (cluster >= 0) counts.set(cluster, (counts.get(cluster) ?? 0) + 1);
  }
  return [...counts].toSorted(([a, most], [b, other]) => other - most || a - b)[0]?.[0];
}

/** The share of a node's linked nodes that are in a cluster. */
function clusterShare(graph: ToolGraph, node: number, clusters: Int32Array, active: number): number {
  const tools = targetsOf(hypergraphOf(graph), node);
  return tools.length === 0 ? 0 : tools.filter((tool) => clusters[tool] === active).length / tools.length;
}
