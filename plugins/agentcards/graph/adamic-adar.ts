import type { ToolGraph } from './tool-graph.js';

/** The meaning of a node's degree: its different neighbours, or its edges, of which a mutual pair has two. */
export type DegreeKind = 'neighbours' | 'edges';

/** The relation of one node to each of the others, by their indexes among the others. */
export interface AdamicAdarRow {
  /** The indexes of its neighbours, ascending. */
  readonly adjacent: readonly number[];
  /** Its measure with each. The next call overwrites this array. */
  readonly measures: Float64Array;
}

const NONE_ADJACENT: readonly number[] = [];

/**
 * Prepares Adamic and Adar's measure (2003) of any node with each of some others: `Σ 1 / ln(degree)` over their common
 * neighbours, ignoring the direction of edges. A neighbour of degree 1 adds nothing: it is common to a node and itself
 * only. For a node and itself the sum is over all its neighbours.
 *
 * The others' neighbours are indexed once, so that a call takes time in proportion to the neighbours of its node.
 */
export function adamicAdar(
  graph: ToolGraph,
  others: readonly number[],
  degreeOf: DegreeKind,
): (node: number) => AdamicAdarRow {
  const neighbourhood = new Map<number, { readonly indexes: number[]; readonly rarity: number }>();
  for (const [index, other] of others.entries()) {
    for (const node of graph.neighboursOf(other)) {
      const known = neighbourhood.get(node);
      if (known !== undefined) {
        known.indexes.push(index);
        continue;
      }
      const degree = degreeOf === 'edges' ? graph.edgeCounts[node]! : graph.neighboursOf(node).length;
      neighbourhood.set(node, { indexes: [index], rarity: degree > 1 ? 1 / Math.log(degree) : 0 });
    }
  }
  const measures = new Float64Array(others.length);
  return (node) => {
    measures.fill(0);
    for (const neighbour of graph.neighboursOf(node)) {
      const known = neighbourhood.get(neighbour);
      if (known === undefined) continue;
      for (const index of known.indexes) measures[index]! += known.rarity;
    }
    return { adjacent: neighbourhood.get(node)?.indexes ?? NONE_ADJACENT, measures };
  };
}
