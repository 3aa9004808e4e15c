import { defineGenerator, type Focus, type Generator, type GeneratorRun, type ParamsOf } from '../../../src/sdk.js';
import { peripheralNodes, recentNodesOf } from '../turn/recent-nodes.js';
import { nodeFocus, nodeFocusParams } from './focus.js';

type Params = ParamsOf<typeof PeripheralNode>;

/** Gives a focus on the least connected recent node below the mean, of several the most recent. */
export class PeripheralNode implements Generator<Params> {
  static readonly meta = defineGenerator({
    summary: 'The least connected of the recent nodes, where it is connected below the mean.',
    params: nodeFocusParams('lateral_bridge', 'Bridge to: {label}', 0.7),
  });

  prepare(params: Params, { context }: GeneratorRun): readonly Focus[] {
    const edge = peripheralNodes(recentNodesOf(context)).filter(({ id }) => id !== undefined);
    const least = Math.min(...edge.map(({ degree }) => degree));
    return nodeFocus(
      edge.findLast(({ degree }) => degree === least),
      params,
    );
  }
}
