import type { Csr } from './csr.js';

/** How important each node is: shares that sum to 1. */
export interface PageRanks {
  readonly values: Float64Array;
  /** false: the numbers were still moving after the last iteration allowed. */
  readonly converged: boolean;
}

export interface PageRankSettings {
  /** The share that follows edges; the rest jumps anywhere. */
  readonly damping: number;
  /** false: every edge alike. */
  readonly weighted: boolean;
  /** The change of all nodes together under which it ends. */
  readonly tolerance: number;
  readonly iterations: number;
}

/**
 * PageRank (Page, Brin, Motwani and Winograd 1999) by power iteration. What has no way out, and what has only edges of
 * weight 0, spreads evenly over all nodes.
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
