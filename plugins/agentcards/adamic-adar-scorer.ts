import { type BatchScorer, defineScorer, type ParamsOf, type Run, type Score, z } from '../../src/sdk.js';
import { adamicAdar } from './graph/adamic-adar.js';
import { abstainAlways, graphAndTools, nodeReasons, relatedParams, scoreByNode } from './node-score.js';

type Params = ParamsOf<typeof AdamicAdarScorer>;

/**
 * Scores how closely a candidate's node is related to a tool in use, the greatest over all of them. An edge either way
 * counts `direct_edge`, else Adamic and Adar's measure counts, divided by `divide_by` and at most `cap`.
 *
 * A node that is not in the graph, or has no neighbours, scores 0.
 */
export class AdamicAdarScorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Favours what has common neighbours with the tools in use, in the graph (Adamic-Adar).',
    reads: 'params',
    params: z.strictObject({
      ...relatedParams,
      degree: z
        .enum(['neighbours', 'edges'])
        .default('neighbours')
        .describe('What makes a common neighbour common: its different neighbours, or its edges in and out.'),
      direct_edge: z
        .union([z.number(), z.literal('ignore')])
        .default(1)
        .describe('The score where an edge leads from one to the other; ignore: the measure counts there, too.'),
      divide_by: z.number().positive().default(2).describe('What the measure is divided by.'),
      cap: z
        .union([z.number().positive(), z.literal('none')])
        .default(1)
        .describe('The most that the measure may come to.'),
    }),
    scope: 'candidate',
    reasons: {
      ...nodeReasons,
      direct: 'an edge joins it with {id}',
      related: 'Adamic-Adar {measure} with {id}',
      unrelated: 'no neighbour in common with any tool in use',
    },
  });

  prepare(params: Params, run: Run): Score<unknown> {
    const found = graphAndTools(params, run.context);
    if (typeof found === 'string') return abstainAlways(found);
    const { graph, used } = found;
    const { degree, direct_edge: direct, divide_by: divisor } = params;
    const cap = params.cap === 'none' ? Number.POSITIVE_INFINITY : params.cap;
    const relatedness = adamicAdar(graph, used, degree);
    return scoreByNode(graph, params.node, 0, (node, note) => {
      const { adjacent, measures } = relatedness(node);
      let best = 0;
      let why: [reason: 'direct' | 'related', id: string, measure?: number] | undefined;
      for (const [index, tool] of used.entries()) {
        const isDirect = direct !== 'ignore' && adjacent.includes(index);
        const measure = measures[index]!;
        const score = isDirect ? direct : Math.min(measure / divisor, cap);
        if (score <= best) continue;
        best = score;
        why = isDirect ? ['direct', graph.ids[tool]!] : ['related', graph.ids[tool]!, measure];
      }
      if (why === undefined) note?.('unrelated');
      else note?.(why[0], { id: why[1], measure: why[2] });
      return best;
    });
  }
}
