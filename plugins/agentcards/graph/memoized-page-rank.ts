import { hypergraphOf } from './hypergraph.js';
import { memoizePerGraph } from './memoize-per-graph.js';
import { pageRank } from './page-rank.js';
import type { ToolGraph } from './tool-graph.js';

/** What PageRank is computed over, and how. */
type PageRankKey = readonly [
  over: 'edges' | 'hypergraph',
  weighted: boolean,
  damping: number,
  tolerance: number,
  iterations: number,
];

/** The PageRank of a graph's nodes, by number, over its edges or over its tools and capabilities. */
export const pageRankOf = memoizePerGraph(
  (graph: ToolGraph, ...[over, weighted, damping, tolerance, iterations]: PageRankKey) =>
    pageRank(over === 'edges' ? graph.out : hypergraphOf(graph), { weighted, damping, tolerance, iterations }),
);

/** PageRanks by which to compare nodes: what differs by rounding alone, of a billionth of the mean, is equal. */
export const roundedRanks = (values: Float64Array): Float64Array =>
  values.map((value) => Math.round(value * values.length * 1e9));

/** Which share of the other nodes has a lower PageRank; those alike share their places. 0.5 for a single node. */
export const rankPercentilesOf = memoizePerGraph((graph: ToolGraph, ...settings: PageRankKey): Float64Array => {
  const values = roundedRanks(pageRankOf(graph, ...settings).values);
  const sorted = values.slice().sort();
  const others = values.length - 1;
  const place = (value: number): number => (countBelow(sorted, value, false) + countBelow(sorted, value, true) - 1) / 2;
  return values.map((value) => (others === 0 ? 0.5 : place(value) / others));
});

/** How many of the sorted values are less than one, or at most that. */
function countBelow(sorted: Float64Array, value: number, orEqual: boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < value || (orEqual && sorted[middle] === value)) low = middle + 1;
    else high = middle;
  }
  return low;
}
