import type { ToolGraph } from './tool-graph.js';

/** What counts as a node's degree: its different neighbours, or its edges, of which a mutual pair has two. */
export type DegreeOf = 'neighbours' | 'edges';

/**
 * Adamic and Adar's measure (2003): `Σ 1 / ln(degree)` over the common neighbours, whichever way the edges lead. A
 * neighbour of degree 1 adds nothing: it is common to a node and itself only. Of a node and itself: over all its
 * neighbours.
 */
export function adamicAdar(graph: ToolGraph, a: number, b: number, degreeOf: DegreeOf): number {
  const [ofA, ofB] = [graph.neighboursOf(a), graph.neighboursOf(b)];
  let sum = 0;
  for (let i = 0, j = 0; i < ofA.length && j < ofB.length; ) {
    const [x, y] = [ofA[i]!, ofB[j]!];
    if (x === y) {
      const degree = degreeOf === 'edges' ? graph.edgeCounts[x]! : graph.neighboursOf(x).length;
      if (degree > 1) sum += 1 / Math.log(degree);
    }
    if (x <= y) i += 1;
    if (y <= x) j += 1;
  }
  return sum;
}
