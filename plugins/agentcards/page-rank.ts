import {
  type BatchScorer,
  defineScorer,
  lowerBound,
  type ParamsOf,
  type Run,
  type Score,
  z,
} from '../../src/unit-sdk.js';
import { abstainAlways, nodeParams, nodeReasons, scoreByNode } from './node-score.js';
import { contextGraph } from './read-graph.js';
import { type Csr, hypergraphOf, memoizePerGraph, type ToolGraph } from './tool-graph.js';

type Params = ParamsOf<typeof PageRankScorer>;

const maximum = (values: Float64Array): number => values.reduce((max, value) => Math.max(max, value), 0);

/**
 * Scores how important a candidate's node is in the whole graph, by PageRank, which sums to 1 over the nodes. The raw
 * value is about 1/N in a graph of N nodes. Unless it is scaled, it has almost no effect next to scores from 0 to 1.
 */
export class PageRankScorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Favours nodes that are important in the graph (PageRank).',
    reads: 'params',
    params: z.strictObject({
      ...nodeParams,
      over: z
        .enum(['edges', 'hypergraph'])
        .default('edges')
        .describe(
          'edges: the directed edges of the graph. hypergraph: the links between capabilities and tools, in both directions.',
        ),
      scale: z
        .enum(['raw', 'times_n', 'max', 'rank'])
        .default('raw')
        .describe('times_n: the mean is 1. max: the greatest is 1. rank: the share of the other nodes below.'),
      weighted: z.boolean().default(true).describe('false: all edges have the same weight.'),
      damping: z.number().min(0).lt(1).default(0.85).describe('The damping factor: the share that follows edges.'),
      tolerance: z
        .number()
        .nonnegative()
        .default(1e-12)
        .describe('The iteration ends when the total change of all nodes is below this.'),
      iterations: z.int().positive().max(100_000).default(1000).describe('The maximum number of iterations.'),
    }),
    range: ({ scale }) => (scale === 'times_n' ? [0, Number.POSITIVE_INFINITY] : [0, 1]),
    scope: 'candidate',
    reasons: {
      ...nodeReasons,
      ranked: 'PageRank {rank}, of {order} nodes',
      unconverged: 'PageRank {rank}, of {order} nodes, still moving after the last iteration',
    },
  });

  prepare({ graph: at, node, over, scale, ...settings }: Params, run: Run): Score<unknown> {
    const graph = contextGraph(run.context, at);
    if (graph === undefined) return abstainAlways('no_graph');
    const { weighted, damping, tolerance, iterations } = settings;
    const { values, converged } = pageRankOf(graph, over, weighted, damping, tolerance, iterations);
    const divisor = scale === 'max' ? maximum(values) : 1;
    const shares = scale === 'rank' ? rankPercentilesOf(graph, over, weighted, damping, tolerance, iterations) : values;
    const factor = scale === 'times_n' ? graph.order : 1;
    return scoreByNode(graph, node, 0, (number, note) => {
      note?.(converged ? 'ranked' : 'unconverged', { rank: values[number], order: graph.order });
      return (shares[number]! * factor) / divisor;
    });
  }
}

/** The importance of each node: shares that sum to 1. */
interface PageRanks {
  readonly values: Float64Array;
  /** Whether the change fell below the tolerance within the allowed iterations. */
  readonly converged: boolean;
}

interface PageRankSettings {
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
 * edges of weight 0 only, spreads its share evenly over all nodes.
 */
function pageRank({ starts, targets, weights }: Csr, settings: PageRankSettings): PageRanks {
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

/** The arguments of a memoized PageRank. */
type PageRankKey = readonly [
  over: 'edges' | 'hypergraph',
  weighted: boolean,
  damping: number,
  tolerance: number,
  iterations: number,
];

/** The PageRank of a graph's nodes, over its edges or over the links between tools and capabilities. */
export const pageRankOf = memoizePerGraph(
  (graph: ToolGraph, ...[over, weighted, damping, tolerance, iterations]: PageRankKey) =>
    pageRank(over === 'edges' ? graph.out : hypergraphOf(graph), { weighted, damping, tolerance, iterations }),
);

/** Rounds PageRanks to a billionth of their mean, so that nodes that differ only by rounding are equal. */
export const roundedRanks = (values: Float64Array): Float64Array =>
  values.map((value) => Math.round(value * values.length * 1e9));

/** The share of the other nodes with a lower PageRank; equal nodes share the mean. 0.5 for a single node. */
const rankPercentilesOf = memoizePerGraph((graph: ToolGraph, ...settings: PageRankKey): Float64Array => {
  const values = roundedRanks(pageRankOf(graph, ...settings).values);
  const sorted = values.slice().sort();
  const others = values.length - 1;
  const place = (value: number): number => (lowerBound(sorted, value) + lowerBound(sorted, value + 1) - 1) / 2;
  return values.map((value) => (others === 0 ? 0.5 : place(value) / others));
});
