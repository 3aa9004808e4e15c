import { type BatchScorer, defineScorer, type ParamsOf, type Run, type Score, z } from '../../src/sdk.js';
import type { Edge, ToolGraph } from './graph/tool-graph.js';
import { abstainAlways, graphAndTools, nodeReasons, relatedParams, scoreByNode } from './node-score.js';

type Params = ParamsOf<typeof EdgeScorer>;

/** Whether an edge is stronger: heavier, or of equal weight and observed more often. */
const isStronger = (a: Edge, b: Edge): boolean => a.weight > b.weight || (a.weight === b.weight && a.count > b.count);

/**
 * Scores the strongest edge between a tool in use and a candidate's node: its weight, or the number of its
 * observations.
 */
export class EdgeScorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Favours what a strong edge leads to from a tool in use: what was used after it.',
    reads: 'params',
    params: z.strictObject({
      ...relatedParams,
      give: z.enum(['weight', 'count']).default('weight').describe('What of the edge is the score.'),
      direction: z
        .enum(['to_candidate', 'from_candidate', 'either'])
        .default('to_candidate')
        .describe('Which way the edge leads.'),
      no_edge: z.number().optional().describe('What it gives where no edge leads there; when not said, it abstains.'),
    }),
    scope: 'candidate',
    reasons: {
      ...nodeReasons,
      edge: 'an edge of weight {weight} with {id}, observed {count} times',
      no_edge: 'no edge leads there from any tool in use',
    },
  });

  prepare(params: Params, run: Run): Score<unknown> {
    const found = graphAndTools(params, run.context);
    if (typeof found === 'string') return abstainAlways(found);
    const { graph, used } = found;
    const strongest = new Map<number, Edge & { readonly id: string }>();
    for (const tool of used) {
      for (const node of [tool, ...graph.neighboursOf(tool)]) {
        for (const { weight, count } of edgesBetween(graph, tool, node, params.direction)) {
          const known = strongest.get(node);
          const edge = { weight, count, id: graph.ids[tool]! };
          if (known === undefined || isStronger(edge, known)) strongest.set(node, edge);
        }
      }
    }
    return scoreByNode(graph, params.node, params.no_edge, (node, note) => {
      const edge = strongest.get(node);
      if (edge === undefined) {
        note?.('no_edge');
        return params.no_edge;
      }
      note?.('edge', { weight: edge.weight, count: edge.count, id: edge.id });
      return edge[params.give];
    });
  }
}

/** The edges between a tool and a node in the wanted direction. */
function edgesBetween(graph: ToolGraph, tool: number, node: number, direction: Params['direction']): readonly Edge[] {
  const there = direction === 'from_candidate' ? undefined : graph.edge(tool, node);
  const back = direction === 'to_candidate' ? undefined : graph.edge(node, tool);
  return [there, back].filter((edge) => edge !== undefined);
}
