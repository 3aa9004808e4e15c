import { abstain, type BatchScorer, defineScorer, type ParamsOf, type Run, type Score, z } from '../../src/sdk.js';
import { cheapestPaths, fewestHops } from './graph/shortest-paths.js';
import { hopConfidence, hopParams } from './hop-confidence.js';
import { abstainAlways, graphAndTools, nodeReasons, relatedParams, scoreByNode } from './node-score.js';

type Params = ParamsOf<typeof PathScorer>;

/**
 * Scores how near a candidate's node is to the tools in use, along the direction of edges. A hop is an edge. It
 * abstains where no path leads to the node, and on a tool in use.
 */
export class PathScorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Favours what few edges lead to from a tool in use, in the graph.',
    reads: 'params',
    params: z.strictObject({
      ...relatedParams,
      ...hopParams,
      path: z.enum(['fewest_hops', 'cheapest']).default('fewest_hops').describe('Which way counts.'),
      least_weight: z
        .number()
        .positive()
        .default(0.1)
        .describe('An edge of the cheapest way costs 1 / its weight, or this weight if it has less.'),
      give: z.enum(['confidence', 'hops', 'cost']).default('confidence').describe('What of the way is the score.'),
    }),
    range: ({ give }) => (give === 'confidence' ? [0, 1] : [0, Number.POSITIVE_INFINITY]),
    scope: 'candidate',
    reasons: {
      ...nodeReasons,
      reached: '{hops} hops from a tool in use',
      unreached: 'no way leads there from any tool in use',
      in_use: 'it is a tool in use',
    },
  });

  prepare(params: Params, run: Run): Score<unknown> {
    const found = graphAndTools(params, run.context);
    if (typeof found === 'string') return abstainAlways(found);
    const { graph, used } = found;
    const { path, least_weight, give } = params;
    const { hops, costs } = path === 'cheapest' ? cheapestPaths(graph, used, least_weight) : fewestHops(graph, used);
    return scoreByNode(graph, params.node, undefined, (node, note) => {
      const count = hops[node]!;
      if (count <= 0) return abstain(note, count < 0 ? 'unreached' : 'in_use');
      note?.('reached', { hops: count });
      if (give === 'hops') return count;
      return give === 'cost' ? costs[node] : hopConfidence(params, count);
    });
  }
}
