import { memoizePerGraph } from './memoize-per-graph.js';
import { seededRandom } from './seeded-random.js';
import type { ToolGraph } from './tool-graph.js';

/** Renumbers groups in the order of their first members, so that their original numbers have no effect. */
export function numberByFirstMember(groups: readonly number[]): Int32Array {
  const numbers = new Map<number, number>();
  return Int32Array.from(groups, (group) => {
    const known = numbers.get(group) ?? numbers.size;
    numbers.set(group, known);
    return known;
  });
}

/**
 * The power of two that brings the greatest weight to between 1 and 2. Scaling all weights changes no community, but
 * the method ignores gains below 1e-10.
 */
function powerOfTwoScale(weights: Float64Array): number {
  const greatest = weights.reduce((max, weight) => Math.max(max, weight), 0);
  return greatest === 0 ? 1 : 2 ** Math.floor(Math.log2(greatest));
}

/**
 * Finds the community of each node, by number, by Louvain's method (Blondel and others 2008) of graphology, which is
 * imported on the first call. Communities are numbered from 0.
 */
export const communitiesOf = memoizePerGraph(
  async (graph: ToolGraph, resolution: number, seed: number, weighted: boolean): Promise<Int32Array> => {
    const [{ DirectedGraph }, module] = await Promise.all([
      import('graphology'),
      import('graphology-communities-louvain'),
    ]);
    // Nodes are named by their numbers: the result is an object, which would lose an id such as "__proto__".
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
    // Its types declare the function as the default of the default export; it is the default export.
    const louvain = module.default as unknown as typeof module.default.default;
    if (weighted && weights.every((weight) => weight === 0)) return Int32Array.from(graph.ids, (_, i) => i);
    const found = louvain(copy, { resolution, rng: seededRandom(seed), getEdgeWeight: weighted ? 'weight' : null });
    return numberByFirstMember(graph.ids.map((_, i) => found[i]!));
  },
);
