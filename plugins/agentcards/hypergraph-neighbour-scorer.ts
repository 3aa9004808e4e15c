import { type BatchScorer, defineScorer, type ParamsOf, type Run, type Score, z } from '../../src/sdk.js';
import { targetsOf } from './graph/csr.js';
import { hypergraphOf } from './graph/hypergraph.js';
import { abstainAlways, graphAndTools, nodeReasons, relatedParams, scoreByNode } from './node-score.js';

type Params = ParamsOf<typeof HypergraphNeighbourScorer>;

/**
 * The share of the tools (or capabilities) in use that a candidate's node meets: two tools that some capability uses
 * both, two capabilities that use the same tool, or a capability and a tool that it uses.
 */
export class HypergraphNeighbourScorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Favours what shares a capability or a tool with what is in use.',
    params: z.strictObject(relatedParams),
    range: [0, 1],
    scope: 'candidate',
    reasons: { ...nodeReasons, met: 'shares a tool or a capability with {met} of {used} in use' },
  });

  prepare(params: Params, run: Run): Score<unknown> {
    const situation = graphAndTools(params, run.context);
    if (typeof situation === 'string') return abstainAlways(situation);
    const { graph, used } = situation;
    const links = hypergraphOf(graph);
    /** Which of those in use each node is linked to: by itself, or by what it is linked to. */
    const linked = used.map((node) => new Set(targetsOf(links, node)));
    return scoreByNode(graph, params.node, 0, (node, note) => {
      const own = targetsOf(links, node);
      const met = linked.filter(
        (other, k) => used[k] !== node && (other.has(node) || own.some((one) => other.has(one))),
      );
      note?.('met', { met: met.length, used: used.length });
      return met.length / used.length;
    });
  }
}
