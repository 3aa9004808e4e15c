import { type Focus, z } from '../../../src/sdk.js';
import type { RecentNode } from '../turn/nodes.js';
import { confidence, filled, focusType, openFocus, otherwise, template } from './focus.js';

/** The params of a generator of a focus on one node, with their defaults. */
export const oneNode = (type: string, text: string, sure: number) =>
  z.strictObject({
    focus_type: focusType(type),
    text: template(['label', 'id'], text),
    label: z.string().default('topic').describe('How a node without a label is called.'),
    confidence: confidence(sure),
    otherwise,
  });

/** A focus on a node; where there is none, the open focus that the params may name. */
export function focusOn(node: RecentNode | undefined, params: z.output<ReturnType<typeof oneNode>>): readonly Focus[] {
  const { focus_type: type, text, otherwise: open } = params;
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
