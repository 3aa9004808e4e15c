import { type BatchScorer, defineScorer, type ParamsOf, type Run, type Score, z } from '../../../src/sdk.js';
import { conceptGraphFacts } from '../turn/concept-graph.js';
import { readMove } from '../turn/interview-move.js';
import { fractionParam } from '../turn/params.js';
import { findNode, localDensity, recentNodesOf } from '../turn/recent-nodes.js';

type Params = ParamsOf<typeof ContrastOpportunityScorer>;

/** Favours a counter-example where a recent node has the opposite stance. */
export class ContrastOpportunityScorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Favours a counter-example where there is an opposite stance; 1 for all other strategies.',
    params: z.strictObject({
      strategy: z.string().default('contrast').describe('The strategy that contrasts.'),
      high_density_threshold: fractionParam(0.6, 'In a neighbourhood denser than this it scores 1.5, else 1.2.'),
    }),
    range: [0, 2],
    scope: 'candidate',
    reasons: {
      opposite: 'a recent node has the opposite stance; density {density}',
      none: 'no recent node has the opposite stance',
      other_strategy: 'it is another strategy',
    },
  });

  prepare(params: Params, { context }: Run): Score<unknown> {
    const nodes = recentNodesOf(context);
    const graph = conceptGraphFacts(context);
    const stances = new Set(nodes.map(({ stance }) => stance));
    return (candidate, _index, note) => {
      const { strategy, node: id } = readMove(candidate);
      if (strategy !== params.strategy) {
        note?.('other_strategy');
        return 1;
      }
      const node = findNode(nodes, id);
      if (node === undefined || node.stance === 0 || !stances.has(-node.stance)) {
        note?.('none');
        return 1;
      }
      const density = localDensity(node, graph);
      note?.('opposite', { density });
      return density > params.high_density_threshold ? 1.5 : 1.2;
    };
  }
}
