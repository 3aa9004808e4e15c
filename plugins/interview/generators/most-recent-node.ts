import { defineGenerator, type Focus, type Generator, type GeneratorRun, type ParamsOf, z } from '../../../src/sdk.js';
import { recentNodesOf } from '../turn/nodes.js';
import { confidence, filled, focusType, openFocus, otherwise, template } from './focus.js';

type Params = ParamsOf<typeof MostRecentNode>;

/** The node that was spoken of last. */
export class MostRecentNode implements Generator<Params> {
  static readonly meta = defineGenerator({
    summary: 'The node that was spoken of last.',
    params: z.strictObject({
      focus_type: focusType('depth_exploration'),
      text: template(['label', 'id'], 'Deepen: {label}'),
      label: z.string().default('topic').describe('How a node without a label is called.'),
      confidence: confidence(0.8),
      otherwise,
    }),
  });

  prepare(params: Params, { context }: GeneratorRun): readonly Focus[] {
    const { focus_type: type, text, otherwise: open } = params;
    const node = recentNodesOf(context).findLast(({ id }) => id !== undefined);
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
