import { type BatchScorer, defineScorer, type ParamsOf, type Run, type Score, z } from '../../src/unit-sdk.js';
import { conceptGraphFacts, findNode, localDensity, peripheralNodes, recentNodesOf } from './concepts.js';
import { readMove } from './fields.js';
import { fractionParam } from './params.js';

type ContrastOpportunityParams = ParamsOf<typeof ContrastOpportunityScorer>;

/** Favours a counter-example if a recent node has the opposite stance. */
export class ContrastOpportunityScorer implements BatchScorer<ContrastOpportunityParams> {
  static readonly meta = defineScorer({
    summary: 'Favours a counter-example if a recent node has the opposite stance; 1 for other strategies.',
    params: z.strictObject({
      strategy: z.string().default('contrast').describe('The strategy that contrasts.'),
      high_density_threshold: fractionParam(
        0.6,
        'The score is 1.5 in a neighbourhood denser than this, otherwise 1.2.',
      ),
    }),
    range: [0, 2],
    scope: 'candidate',
    reasons: {
      opposite: 'a recent node has the opposite stance; density {density}',
      none: 'no recent node has the opposite stance',
      other_strategy: 'it is another strategy',
    },
  });

  prepare(params: ContrastOpportunityParams, { context }: Run): Score<unknown> {
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

type PeripheralReadinessParams = ParamsOf<typeof PeripheralReadinessScorer>;

/** Favours a bridge if the topic's neighbourhood is dense and there are peripheral nodes to move to. */
export class PeripheralReadinessScorer implements BatchScorer<PeripheralReadinessParams> {
  static readonly meta = defineScorer({
    summary: 'Favours a bridge from a dense topic to peripheral nodes; 1 for other strategies.',
    params: z.strictObject({
      strategy: z.string().default('bridge').describe('The strategy that bridges.'),
      high_density_threshold: fractionParam(0.7, 'A density above this scores 1.5 with enough peripheral nodes.'),
      moderate_density_threshold: fractionParam(0.5, 'A density above this scores 1.2.'),
      min_peripheral_count: z.int().min(0).default(3).describe('The number of peripheral nodes needed for 1.5.'),
      any_peripheral_count: z
        .int()
        .min(0)
        .default(1)
        .describe('The number of peripheral nodes that score 1.2 at any density.'),
    }),
    range: [0, 2],
    scope: 'candidate',
    reasons: {
      ready: 'density {density}, {count} nodes at the edge',
      other_strategy: 'it is another strategy',
    },
  });

  prepare(params: PeripheralReadinessParams, { context }: Run): Score<unknown> {
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
