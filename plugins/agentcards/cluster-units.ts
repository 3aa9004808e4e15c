import {
  abstain,
  type BatchScorer,
  type BatchVeto,
  defineScorer,
  defineSignal,
  defineVeto,
  type ParamsOf,
  type Run,
  type RunFacts,
  type Score,
  type Signal,
  valueOrError,
  z,
} from '../../src/unit-sdk.js';
import { clusterParam, clustersOf, communitiesOf, laplacianEigenvaluesOf } from './node-groups.js';
import {
  abstainAlways,
  graphAndTools,
  nodeIdOf,
  nodeParams,
  nodeReasons,
  relatedParams,
  scoreByNode,
} from './node-score.js';
import { pageRankOf, roundedRanks } from './page-rank.js';
import { contextGraph, graphParam } from './read-graph.js';
import { hypergraphOf, targetsOf, type ToolGraph } from './tool-graph.js';

type ClusterSignalParams = ParamsOf<typeof ClusterSignal>;

/** The clusters of a run's tools and capabilities. */
interface ClusterFacts {
  readonly count: number;
  /** The ids in each cluster, in order. */
  readonly members: readonly (readonly string[])[];
  /** The ids without links, which are in no cluster. */
  readonly unlinked: readonly string[];
  /** The eigenvalues of the normalised Laplacian of the links, least first. */
  readonly eigenvalues: readonly number[];
}

/** Returns the clusters of tools and capabilities by their links. ClusterScorer uses the same clusters. */
export class ClusterSignal implements Signal<ClusterSignalParams, ClusterFacts | undefined> {
  static readonly meta = defineSignal({
    summary: 'Which tools and capabilities belong together (spectral co-clustering).',
    params: z.strictObject({ graph: graphParam(), clusters: clusterParam() }),
  });

  async prepare({ graph: at, clusters: count }: ClusterSignalParams, run: RunFacts): Promise<ClusterFacts | undefined> {
    const graph = contextGraph(run.context, at);
    if (graph === undefined) return undefined;
    const clusters = await clustersOf(graph, count);
    const members: string[][] = [];
    for (const [node, id] of graph.ids.entries()) {
      const cluster = clusters[node]!;
      if (cluster >= 0) (members[cluster] ??= []).push(id);
    }
    const unlinked = graph.ids.filter((_, node) => clusters[node] === -1);
    return { count: members.length, members, unlinked, eigenvalues: await laplacianEigenvaluesOf(graph) };
  }
}

type ClusterParams = ParamsOf<typeof ClusterScorer>;

/**
 * Scores whether a capability is in the active cluster, the one that contains most of the tools in use (of several, the
 * one with the first id). It scores `same` inside, otherwise `partial` times the share of its tools that are inside.
 * Clusters follow from the links between tools and the capabilities that use them.
 */
export class ClusterScorer implements BatchScorer<ClusterParams> {
  static readonly meta = defineScorer({
    summary: 'Favours capabilities in the same cluster as the tools in use (spectral co-clustering of their links).',
    reads: 'params',
    params: z.strictObject({
      ...relatedParams,
      clusters: clusterParam(),
      same: z.number().nonnegative().default(0.5).describe('The score of a capability in the active cluster.'),
      partial: z
        .number()
        .nonnegative()
        .default(0)
        .describe(
          'The score of a capability outside the active cluster whose tools are all inside; proportional if some are.',
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

  async prepare({ clusters: count, same, partial, ...params }: ClusterParams, run: Run): Promise<Score<unknown>> {
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

/** Notes a reason and returns the score 0. */
function scoreZero(note: ((reason: string) => void) | undefined, reason: string): number {
  note?.(reason);
  return 0;
}

/** The cluster with most of the tools; of several the lowest number, which is the one with the first member. */
function activeCluster(clusters: Int32Array, used: readonly number[]): number | undefined {
  const counts = countEach(used.map((tool) => clusters[tool]!).filter((cluster) => cluster >= 0));
  return [...counts].toSorted(([a, most], [b, other]) => other - most || a - b)[0]?.[0];
}

/** The share of a node's linked nodes that are in a cluster. */
function clusterShare(graph: ToolGraph, node: number, clusters: Int32Array, active: number): number {
  const tools = targetsOf(hypergraphOf(graph), node);
  return tools.length === 0 ? 0 : tools.filter((tool) => clusters[tool] === active).length / tools.length;
}

type ClusterHubVetoParams = ParamsOf<typeof ClusterHubVeto>;

/**
 * Accepts only hubs: in each cluster of tools and capabilities, the `top` candidates with the highest PageRank over the
 * links; of equal ones, the first ids. Refuses all others, and the whole cluster if it has fewer than
 * `min_capabilities`.
 */
export class ClusterHubVeto implements BatchVeto<ClusterHubVetoParams> {
  static readonly meta = defineVeto({
    summary: 'Refuses all candidates except the hubs of each cluster.',
    reads: 'params',
    params: z.strictObject({
      ...nodeParams,
      clusters: clusterParam(),
      top: z.int().positive().default(1).describe('The number of candidates that are accepted in each cluster.'),
      min_capabilities: z.int().positive().default(2).describe('The minimum number of capabilities of a cluster.'),
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

  async prepare(params: ClusterHubVetoParams, run: Run): Promise<Score<unknown, boolean>> {
    const graph = contextGraph(run.context, params.graph);
    if (graph === undefined) return (_candidate, _index, note) => abstain(note, 'no_graph');
    const clusters = await clustersOf(graph, params.clusters);
    const nodeOf = (candidate: unknown) => graph.numberOf(nodeIdOf(params.node, candidate));
    const sizes = countEach(clusters.filter((_, node) => graph.kindOf(node) === 'capability'));
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

/** The nodes of the candidates. Malformed candidates are skipped here and fail when they are evaluated. */
function candidateNodes(
  candidates: readonly unknown[],
  nodeOf: (candidate: unknown) => number | undefined,
): ReadonlySet<number> {
  const nodes = candidates.map((candidate) => valueOrError(() => nodeOf(candidate)));
  return new Set(nodes.filter((node) => typeof node === 'number'));
}

/** How often each number occurs. */
function countEach(numbers: Iterable<number>): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  return counts;
}

/** Groups nodes by cluster, sorted by falling PageRank. */
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

type CommunityParams = ParamsOf<typeof CommunityScorer>;

/**
 * Scores 1 if a candidate's node is in the community of a tool in use, otherwise 0. A node that is not in the graph
 * belongs to no community.
 */
export class CommunityScorer implements BatchScorer<CommunityParams> {
  static readonly meta = defineScorer({
    summary: 'Favours nodes in the same graph community as a tool in use (Louvain).',
    reads: 'params',
    params: z.strictObject({
      ...relatedParams,
      resolution: z.number().positive().default(1).describe('Higher values produce more and smaller communities.'),
      seed: z
        .int()
        .default(1)
        .describe('The seed of the random order in which nodes are visited. The same seed gives the same result.'),
      weighted: z.boolean().default(true).describe('false: all edges have the same weight.'),
    }),
    range: [0, 1],
    scope: 'candidate',
    reasons: {
      ...nodeReasons,
      same: 'in community {community}, as {id}',
      other: 'in community {community}, which has no tool in use',
    },
  });

  async prepare({ resolution, seed, weighted, ...params }: CommunityParams, run: Run): Promise<Score<unknown>> {
    const found = graphAndTools(params, run.context);
    if (typeof found === 'string') return abstainAlways(found);
    const { graph, used } = found;
    const communities = await communitiesOf(graph, resolution, seed, weighted);
    const toolIds = new Map(used.map((tool) => [communities[tool]!, graph.ids[tool]!]));
    return scoreByNode(graph, params.node, 0, (node, note) => {
      const community = communities[node]!;
      const id = toolIds.get(community);
      note?.(id === undefined ? 'other' : 'same', { community, id });
      return id === undefined ? 0 : 1;
    });
  }
}
