import { defineGenerator, type Focus, type Generator, type GeneratorRun, type ParamsOf } from '../../../src/sdk.js';
import { peripheralOf, recentNodesOf } from '../turn/nodes.js';
import { focusOn, oneNode } from './one-node.js';

type Params = ParamsOf<typeof PeripheralNode>;

/** The node at the edge of what was spoken of: the least connected below the mean, of several the most recent. */
export class PeripheralNode implements Generator<Params> {
  static readonly meta = defineGenerator({
    summary: 'The least connected of the recent nodes, where it is connected below the mean.',
    params: oneNode('lateral_bridge', 'Bridge to: {label}', 0.7),
  });

  prepare(params: Params, { context }: GeneratorRun): readonly Focus[] {
    const edge = peripheralOf(recentNodesOf(context)).filter(({ id }) => id !== undefined);
    const least = Math.min(...edge.map(({ degree }) => degree));
    return focusOn(
      edge.findLast(({ degree }) => degree === least),
      params,
    );
  }
}
