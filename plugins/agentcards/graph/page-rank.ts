import { lowerBound } from '../../../src/sdk.js';
import type { Csr } from './csr.js';
import { hypergraphOf } from './hypergraph.js';
import { memoizePerGraph } from './memoize-per-graph.js';
import type { ToolGraph } from './tool-graph.js';

/** The importance of each node: shares that sum to 1. */
export interface PageRanks {
  readonly values: Float64Array;
  /** Whether the change fell below the tolerance within the allowed iterations. */
  readonly converged: boolean;
}

export interface PageRankSettings {
  /** The share that follows edges; the rest jumps to any node. */
  readonly damping: number;
  /** Whether edges count by their weights; otherwise all count alike. */
  readonly weighted: boolean;
  /** The sum of all nodes' changes at which the iteration ends. */
  readonly tolerance: number;
  readonly iterations: number;
}

/**
 * Computes PageRank (Page, Brin, Motwani and Winograd 1999) by power iteration. A node without outgoing edges, or with
 * only such of weight 0, spreads its share evenly over all nodes.
 */
export function pageRank({ starts, targets, weights }: Csr, settings: PageRankSettings): PageRanks {
  const { damping, weighted, tolerance, iterations } = settings;
  const order = starts.length - 1;
  const totals = new Float64Array(order);
  for (let i = 0; i < order; i++) {
    for (let k = starts[i]!; k < starts[i + 1]!; k++) totals[i]! += weighted ? weights[k]! : 1;
  }
  let values = new Float64Array(order).fill(1 / order);
  let next = new Float64Array(order);
  for (let round = 0; round < iterations; round++) {
    let dangling = 0;
    for (let i = 0; i < order; i++) if (totals[i] === 0) dangling += values[i]!;
    next.fill((1 - damping + damping * dangling) / order);
    for (let i = 0; i < order; i++) {
      if (totals[i] === 0) continue;
      const share = damping * values[i]!;
      for (let k = starts[i]!; k < starts[i + 1]!; k++) {
        next[targets[k]!]! += share * ((weighted ? weights[k]! : 1) / totals[i]!);
      }
    }
    let change = 0;
    for (let i = 0; i < order; i++) change += Math.abs(next[i]! - values[i]!);
    [values, next] = [next, values];
    if (change <= tolerance) return { values, converged: true };
  }
  return { values, converged: false };
}

/** The arguments that a memoized PageRank is computed for. */
type PageRankKey = readonly [
  over: 'edges' | 'hypergraph',
  weighted: boolean,
  damping: number,
  tolerance: number,
  iterations: number,
];

/** The PageRank of a graph's nodes, by number, over its edges or over the links of tools and capabilities. */
export const pageRankOf = memoizePerGraph(
  (graph: ToolGraph, ...[over, weighted, damping, tolerance, iterations]: PageRankKey) =>
    pageRank(over === 'edges' ? graph.out : hypergraphOf(graph), { weighted, damping, tolerance, iterations }),
);

/** Rounds PageRanks to a billionth of their mean, so that nodes that differ by rounding alone are equal. */
export const roundedRanks = (values: Float64Array): Float64Array =>
  values.map((value) => Math.round(value * values.length * 1e9));

/** The share of the other nodes with a lower PageRank; equal ones share the mean of theirs. 0.5 for a single node. */
export const rankPercentilesOf = memoizePerGraph((graph: ToolGraph, ...settings: PageRankKey): Float64Array => {
  const values = roundedRanks(pageRankOf(graph, ...settings).values);
  const sorted = values.slice().sort();
  const others = values.length - 1;
  const place = (value: number): number => (lowerBound(sorted, value) + lowerBound(sorted, value + 1) - 1) / 2;
  return values.map((value) => (others === 0 ? 0.5 : place(value) / others));
});
