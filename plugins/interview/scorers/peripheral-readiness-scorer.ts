import { type BatchScorer, defineScorer, type ParamsOf, type Run, type Score, z } from '../../../src/sdk.js';
import { conceptGraphFacts } from '../turn/concept-graph.js';
import { readMove } from '../turn/interview-move.js';
import { fractionParam } from '../turn/params.js';
import { findNode, localDensity, peripheralNodes, recentNodesOf } from '../turn/recent-nodes.js';

type Params = ParamsOf<typeof PeripheralReadinessScorer>;

/** Favours a bridge where the topic's neighbourhood is dense and there are peripheral nodes to go to. */
export class PeripheralReadinessScorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Favours a bridge where there is somewhere to go from a well-knit topic; 1 for all other strategies.',
    params: z.strictObject({
      strategy: z.string().default('bridge').describe('The strategy that bridges.'),
      high_density_threshold: fractionParam(0.7, 'Denser than this, with enough nodes at the edge, scores 1.5.'),
      moderate_density_threshold: fractionParam(0.5, 'Denser than this scores 1.2.'),
      min_peripheral_count: z.int().min(0).default(3).describe('How many nodes at the edge are enough for 1.5.'),
      any_peripheral_count: z.int().min(0).default(1).describe('So many score 1.2 whatever the density.'),
    }),
    range: [0, 2],
    scope: 'candidate',
    reasons: {
      ready: 'density {density}, {count} nodes at the edge',
      other_strategy: 'it is another strategy',
    },
  });

  prepare(params: Params, { context }: Run): Score<unknown> {
    const nodes = recentNodesOf(context);
    const graph = conceptGraphFacts(context);
    const count = peripheralNodes(nodes).length;
    return (candidate, _index, note) => {
      const { strategy, node } = readMove(candidate);
      if (strategy !== params.strategy) {
        note?.('other_strategy');
        return 1;
      }
      const density = localDensity(findNode(nodes, node), graph);
      note?.('ready', { density, count });
      if (density > params.high_density_threshold && count >= params.min_peripheral_count) return 1.5;
      return density > params.moderate_density_threshold || count >= params.any_peripheral_count ? 1.2 : 1;
    };
  }
}
