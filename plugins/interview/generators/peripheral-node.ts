import { defineGenerator, type Focus, type Generator, type GeneratorRun, type ParamsOf, z } from '../../../src/sdk.js';
import { peripheralOf, recentNodesOf } from '../turn/nodes.js';
import { confidence, filled, focusType, openFocus, otherwise, template } from './focus.js';

type Params = ParamsOf<typeof PeripheralNode>;

/** The node at the edge of what was spoken of: the least connected below the mean, of several the most recent. */
export class PeripheralNode implements Generator<Params> {
  static readonly meta = defineGenerator({
    summary: 'The least connected of the recent nodes, where it is connected below the mean.',
    params: z.strictObject({
      focus_type: focusType('lateral_bridge'),
      text: template(['label', 'id'], 'Bridge to: {label}'),
      label: z.string().default('topic').describe('How a node without a label is called.'),
      confidence: confidence(0.7),
      otherwise,
    }),
  });

  prepare(params: Params, { context }: GeneratorRun): readonly Focus[] {
    const { focus_type: type, text, otherwise: open } = params;
    const edge = peripheralOf(recentNodesOf(context)).filter(({ id }) => id !== undefined);
    const least = Math.min(...edge.map(({ degree }) => degree));
    const node = edge.findLast(({ degree }) => degree === least);
    if (node?.id === undefined) return open ? [openFocus(type, open.text, open.confidence)] : [];
    const { id, label = params.label } = node;
    return [
      {
        key: id,
        focus_type: type,
        node_id: id,
        focus_description: filled(text, { label, id }),
        confidence: params.confidence,
      },
    ];
  }
}
