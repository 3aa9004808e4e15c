import { type BatchScorer, defineScorer, type ParamsOf, type Run, type Score, z } from '../../src/sdk.js';
import { communitiesOf } from './graph/communities.js';
import { abstainAlways, graphAndTools, nodeReasons, relatedParams, scoreByNode } from './node-score.js';

type Params = ParamsOf<typeof CommunityScorer>;

/**
 * Scores 1 where a candidate's node is in the community of a tool in use, else 0. A node that is not in the graph is in
 * none.
 */
export class CommunityScorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Favours what is in the community of a tool in use, in the graph (Louvain).',
    reads: 'params',
    params: z.strictObject({
      ...relatedParams,
      resolution: z.number().positive().default(1).describe('More makes more and smaller communities.'),
      seed: z
        .int()
        .default(1)
        .describe('Of the random order in which nodes are tried: the same seed, the same result.'),
      weighted: z.boolean().default(true).describe('false: every edge counts alike.'),
    }),
    range: [0, 1],
    scope: 'candidate',
    reasons: {
      ...nodeReasons,
      same: 'in community {community}, as {id}',
      other: 'in community {community}, and no tool in use is',
    },
  });

  async prepare({ resolution, seed, weighted, ...params }: Params, run: Run): Promise<Score<unknown>> {
    const found = graphAndTools(params, run.context);
    if (typeof found === 'string') return abstainAlways(found);
    const { graph, used } = found;
    const communities = await communitiesOf(graph, resolution, seed, weighted);
    const toolIds = new Map(used.map((tool) => [communities[tool]!, graph.ids[tool]!]));
    return scoreByNode(graph, params.node, 0, (node, note) => {
      const community = communities[node]!;
      const id = toolIds.get(community);
      note?.(id === undefined ? 'other' : 'same', { community, id });
      return id === undefined ? 0 : 1;
    });
  }
}
