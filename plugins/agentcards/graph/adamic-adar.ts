import type { ToolGraph } from './tool-graph.js';

/** What counts as a node's degree: its different neighbours, or its edges, of which a mutual pair has two. */
export type DegreeKind = 'neighbours' | 'edges';

/** What a node has in common with some others, by their places among them. */
export interface AdamicAdarRow {
  /** The places of those that an edge joins it with, in order. */
  readonly adjacent: readonly number[];
  /** Its measure with each. Overwritten by the next question. */
  readonly measures: Float64Array;
}

const NONE_ADJACENT: readonly number[] = [];

/**
 * Adamic and Adar's measure (2003) of a node and each of some others: `Σ 1 / ln(degree)` over their common neighbours,
 * whichever way the edges lead. A neighbour of degree 1 adds nothing: it is common to a node and itself only. Of a node
 * and itself: over all its neighbours.
 *
 * Who of the others neighbours whom is noted once, so that a node is asked about in the time of its own neighbours.
 */
export function adamicAdar(
  graph: ToolGraph,
  others: readonly number[],
  degreeOf: DegreeKind,
): (node: number) => AdamicAdarRow {
  const around = new Map<number, { readonly places: number[]; readonly rarity: number }>();
  for (const [place, other] of others.entries()) {
    for (const node of graph.neighboursOf(other)) {
      const known = around.get(node);
      if (known !== undefined) {
        known.places.push(place);
        continue;
      }
      const degree = degreeOf === 'edges' ? graph.edgeCounts[node]! : graph.neighboursOf(node).length;
      around.set(node, { places: [place], rarity: degree > 1 ? 1 / Math.log(degree) : 0 });
    }
  }
  const measures = new Float64Array(others.length);
  return (node) => {
    measures.fill(0);
    for (const neighbour of graph.neighboursOf(node)) {
      const known = around.get(neighbour);
      if (known === undefined) continue;
      for (const place of known.places) measures[place]! += known.rarity;
    }
    return { adjacent: around.get(node)?.places ?? NONE_ADJACENT, measures };
  };
}
