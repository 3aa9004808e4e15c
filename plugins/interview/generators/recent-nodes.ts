import { defineGenerator, type Focus, type Generator, type GeneratorRun, type ParamsOf, z } from '../../../src/sdk.js';
import { recentNodesOf } from '../turn/recent-nodes.js';
import {
  confidenceParam,
  fallbackFocusParam,
  fillTemplate,
  focusTypeParam,
  openFocus,
  templateParam,
} from './focus.js';

type Params = ParamsOf<typeof RecentNodes>;

/** Gives one focus on the most recent nodes together. */
export class RecentNodes implements Generator<Params> {
  static readonly meta = defineGenerator({
    summary: 'The nodes that were spoken of last, as one focus.',
    params: z.strictObject({
      focus_type: focusTypeParam('synthesis'),
      text: templateParam(['labels'], 'Synthesis of: {labels}'),
      label: z.string().default('topic').describe('How a node without a label is called.'),
      confidence: confidenceParam(0.8),
      min: z.int().positive().default(2).describe('How few nodes are worth it.'),
      max: z.int().positive().default(3).describe('How many nodes at most.'),
      otherwise: fallbackFocusParam,
    }),
  });

  prepare(params: Params, { context }: GeneratorRun): readonly Focus[] {
    const { focus_type: type, text, min, max, otherwise: fallback } = params;
    const nodes = recentNodesOf(context)
      .filter(({ id }) => id !== undefined)
      .slice(-max);
    if (nodes.length < min) return fallback ? [openFocus(type, fallback.text, fallback.confidence)] : [];
    const labels = nodes.map(({ label = params.label }) => label).join(', ');
    return [
      {
        key: 'recent_nodes',
        focus_type: type,
        node_ids: nodes.map(({ id }) => id),
        focus_description: fillTemplate(text, { labels }),
        confidence: params.confidence,
      },
    ];
  }
}
