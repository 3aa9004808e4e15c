import { type Focus, z } from '../../../src/sdk.js';
import type { RecentNode } from '../turn/recent-nodes.js';
import {
  confidenceParam,
  fallbackFocusParam,
  fillTemplate,
  focusTypeParam,
  openFocus,
  templateParam,
} from './focus-params.js';

/** The params of a generator of a focus on one node, with their defaults. */
export const nodeFocusParams = (type: string, text: string, sure: number) =>
  z.strictObject({
    focus_type: focusTypeParam(type),
    text: templateParam(['label', 'id'], text),
    label: z.string().default('topic').describe('How a node without a label is called.'),
    confidence: confidenceParam(sure),
    otherwise: fallbackFocusParam,
  });

/** A focus on a node; where there is none, the open focus that the params may name. */
export function nodeFocus(
  node: RecentNode | undefined,
  params: z.output<ReturnType<typeof nodeFocusParams>>,
): readonly Focus[] {
  const { focus_type: type, text, otherwise: open } = params;
  if (node?.id === undefined) return open ? [openFocus(type, open.text, open.confidence)] : [];
  const { id, label = params.label } = node;
  return [
    {
      key: id,
      focus_type: type,
      node_id: id,
      focus_description: fillTemplate(text, { label, id }),
      confidence: params.confidence,
    },
  ];
}
