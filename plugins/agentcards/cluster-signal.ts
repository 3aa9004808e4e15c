import { defineSignal, type ParamsOf, type RunFacts, type Signal, z } from '../../src/sdk.js';
import { contextGraph, graphParam } from './graph/context-graph.js';
import { clusterParam, clustersOf, laplacianEigenvaluesOf } from './graph/spectral-clustering.js';

type Params = ParamsOf<typeof ClusterSignal>;

/** The clusters of a run's tools and capabilities. */
export interface ClusterFacts {
  readonly count: number;
  /** The ids in each cluster, in order. */
  readonly members: readonly (readonly string[])[];
  /** The ids without links, which are in no cluster. */
  readonly unlinked: readonly string[];
  /** The eigenvalues of the normalised Laplacian of the links, least first. */
  readonly eigenvalues: readonly number[];
}

/** Gives the clusters of tools and capabilities by their links: those that the ClusterScorer uses. */
export class ClusterSignal implements Signal<Params, ClusterFacts | undefined> {
  static readonly meta = defineSignal({
    summary: 'Which tools and capabilities belong together (spectral co-clustering).',
    params: z.strictObject({ graph: graphParam(), clusters: clusterParam() }),
  });

  async prepare({ graph: at, clusters: count }: Params, run: RunFacts): Promise<ClusterFacts | undefined> {
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
