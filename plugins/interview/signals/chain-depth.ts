import { defineSignal, type RunFacts, type Signal, z } from '../../../src/sdk.js';
import { type ChainStatistics, chainDepthOf } from '../turn/chains.js';
import { conceptGraphOf } from '../turn/concept-graph.js';
import { mapAt } from '../turn/field-readers.js';

/** Gives the lengths of the chains in the graph's `nodes` and `edges`; missing where the context does not list them. */
export class ChainDepth implements Signal<object> {
  static readonly meta = defineSignal({
    summary: 'The lengths of the chains in the graph of concepts.',
    params: z.strictObject({}),
  });

  prepare(_params: object, { context }: RunFacts): ChainStatistics | Readonly<Record<string, unknown>> | undefined {
    const given = mapAt(context, 'chain_depth', 'context');
    if (given) return given;
    const lists = conceptGraphOf(context);
    return lists && chainDepthOf(lists.nodes, lists.edges);
  }
}
