import { type BatchScorer, defineScorer, type ParamsOf, type Run, type Score, z } from '../../src/sdk.js';
import { targetsOf } from './graph/csr.js';
import { hypergraphOf } from './graph/hypergraph.js';
import { abstainAlways, graphAndTools, nodeReasons, relatedParams, scoreByNode } from './node-score.js';

type Params = ParamsOf<typeof HypergraphNeighbourScorer>;

/**
 * Scores the share of the tools (or capabilities) in use that a candidate's node meets: tools that one capability uses
 * both, capabilities that use the same tool, or a capability and a tool that it uses.
 */
export class HypergraphNeighbourScorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Favours what shares a capability or a tool with what is in use.',
    reads: 'params',
    params: z.strictObject(relatedParams),
    range: [0, 1],
    scope: 'candidate',
    reasons: { ...nodeReasons, met: 'shares a tool or a capability with {met} of {used} in use' },
  });

  prepare(params: Params, run: Run): Score<unknown> {
    const found = graphAndTools(params, run.context);
    if (typeof found === 'string') return abstainAlways(found);
    const { graph, used } = found;
    const links = hypergraphOf(graph);
    /** The nodes that each of those in use is linked to. */
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
