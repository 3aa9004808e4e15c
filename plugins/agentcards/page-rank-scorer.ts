import { type BatchScorer, defineScorer, type ParamsOf, type Run, type Score, z } from '../../src/sdk.js';
import { contextGraph } from './graph/context-graph.js';
import { pageRankOf, rankPercentilesOf } from './graph/page-rank.js';
import { abstainAlways, nodeParams, nodeReasons, scoreByNode } from './node-score.js';

type Params = ParamsOf<typeof PageRankScorer>;

const maximum = (values: Float64Array): number => values.reduce((max, value) => Math.max(max, value), 0);

/**
 * Scores how important a candidate's node is in the whole graph: PageRank, which sums to 1 over the nodes. The raw
 * value is about 1/N in a graph of N nodes: beside scores from 0 to 1 it has next to no effect unless it is scaled.
 */
export class PageRankScorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Favours what much leads to, in the graph (PageRank).',
    reads: 'params',
    params: z.strictObject({
      ...nodeParams,
      over: z
        .enum(['edges', 'hypergraph'])
        .default('edges')
        .describe('edges: the graph’s, in their direction; hypergraph: which capability uses which tool, both ways.'),
      scale: z
        .enum(['raw', 'times_n', 'max', 'rank'])
        .default('raw')
        .describe('times_n: 1 for the mean; max: 1 for the greatest; rank: the share of the other nodes below it.'),
      weighted: z.boolean().default(true).describe('false: every edge counts alike.'),
      damping: z.number().min(0).lt(1).default(0.85).describe('The share that follows edges.'),
      tolerance: z.number().nonnegative().default(1e-12).describe('It ends where all nodes together change by less.'),
      iterations: z.int().positive().max(100_000).default(1000).describe('It ends after so many, converged or not.'),
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
