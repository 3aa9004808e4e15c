import { defineGenerator, type Focus, type Generator, type GeneratorRun, type ParamsOf } from '../../../src/sdk.js';
import { recentNodesOf } from '../turn/recent-nodes.js';
import { nodeFocus, nodeFocusParams } from './focus.js';

type Params = ParamsOf<typeof MostRecentNode>;

/** Gives a focus on the most recent node. */
export class MostRecentNode implements Generator<Params> {
  static readonly meta = defineGenerator({
    summary: 'The node that was spoken of last.',
    params: nodeFocusParams('depth_exploration', 'Deepen: {label}', 0.8),
  });

  prepare(params: Params, { context }: GeneratorRun): readonly Focus[] {
    const node = recentNodesOf(context).findLast(({ id }) => id !== undefined);
    return nodeFocus(node, params);
  }
}
