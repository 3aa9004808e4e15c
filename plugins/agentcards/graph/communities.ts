import { memoizePerGraph } from './memoize-per-graph.js';
import { seededRandom } from './seeded-random.js';
import type { ToolGraph } from './tool-graph.js';

/** Numbers groups in the order of their first members, so that who numbered them plays no part. */
export function numberByFirstMember(groups: readonly number[]): Int32Array {
  const numbers = new Map<number, number>();
  return Int32Array.from(groups, (group) => {
    const known = numbers.get(group) ?? numbers.size;
    numbers.set(group, known);
    return known;
  });
}

/**
 * The power of two that brings the greatest weight to between 1 and 2: how much all weigh together changes no
 * community, but the method takes gains below 1e-10 for nothing.
 */
function powerOfTwoScale(weights: Float64Array): number {
  const most = weights.reduce((greatest, weight) => Math.max(greatest, weight), 0);
  return most === 0 ? 1 : 2 ** Math.floor(Math.log2(most));
}

/**
 * The community of each node, by number: Louvain's method (Blondel and others 2008) by graphology, which is loaded for
 * it. Communities are numbered from 0, which is one as any other.
 */
export const communitiesOf = memoizePerGraph(
  async (graph: ToolGraph, resolution: number, seed: number, weighted: boolean): Promise<Int32Array> => {
    const [{ DirectedGraph }, module] = await Promise.all([
      import('graphology'),
      import('graphology-communities-louvain'),
    ]);
    // Nodes go by their numbers: what comes back is an object, in which an id such as "__proto__" would be lost.
    const copy = new DirectedGraph({ allowSelfLoops: false });
    for (const [i] of graph.ids.entries()) copy.addNode(i);
    const { starts, targets, weights } = graph.out;
    const scale = powerOfTwoScale(weights);
    for (let i = 0; i < graph.order; i++) {
      for (let k = starts[i]!; k < starts[i + 1]!; k++) {
        const j = targets[k]!;
        if (i !== j) copy.addDirectedEdgeWithKey(k, i, j, { weight: weights[k]! / scale });
      }
    }
    // Its types say that the function is the default of the default; it is the default.
    const louvain = module.default as unknown as typeof module.default.default;
    if (weighted && weights.every((weight) => weight === 0)) return Int32Array.from(graph.ids, (_, i) => i);
    const found = louvain(copy, { resolution, rng: seededRandom(seed), getEdgeWeight: weighted ? 'weight' : null });
    return numberByFirstMember(graph.ids.map((_, i) => found[i]!));
  },
);
