import { type BatchVeto, defineVeto, type ParamsOf, type Run, type Score, z } from '../../../src/sdk.js';
import { historyOf, lastOf } from '../turn/history.js';
import { elementPhrase, readMove } from '../turn/interview-move.js';
import { exemptStrategiesParam, lookbackParam } from '../turn/params.js';
import { recentNodesOf } from '../turn/recent-nodes.js';

type Params = ParamsOf<typeof ElementExhaustedScorer>;

/** Refuses an element that was mentioned often enough and is named by enough recent nodes. */
export class ElementExhaustedScorer implements BatchVeto<Params> {
  static readonly meta = defineVeto({
    summary: 'Refuses elements that were spoken of often enough.',
    params: z.strictObject({
      max_mentions: z.int().positive().default(5).describe('How many utterances that name it are enough.'),
      min_related_nodes: z
        .int()
        .min(0)
        .default(2)
        .describe('How many recent nodes have to name it, so that it is not only a word.'),
      lookback_window: lookbackParam(10),
      exempt_strategies: exemptStrategiesParam,
    }),
    scope: 'candidate',
    reasons: {
      exhausted: '{element} was named {mentions} times and by {related} recent nodes',
      open: '{element} was named {mentions} times (of {most}) and by {related} recent nodes (of {least})',
      no_element: 'it is about no element',
      exempt: '{strategy} is never refused',
    },
  });

  prepare(params: Params, { context }: Run): Score<unknown, boolean> {
    const { max_mentions: most, min_related_nodes: least } = params;
    const exempt = new Set(params.exempt_strategies);
    const utterances = lastOf(historyOf(context), params.lookback_window);
    const labels = recentNodesOf(context).map(({ label = '' }) => label.toLowerCase());
    return (candidate, _index, note) => {
      const { strategy, element } = readMove(candidate);
      if (exempt.has(strategy)) {
        note?.('exempt', { strategy });
        return false;
      }
      if (element === undefined) {
        note?.('no_element');
        return false;
      }
      const term = elementPhrase(element);
      const mentions = utterances.filter(({ lower }) => lower.includes(term)).length;
      const related = labels.filter((label) => label.includes(term)).length;
      const refuses = mentions >= most && related >= least;
      note?.(refuses ? 'exhausted' : 'open', { element, mentions, related, most, least });
      return refuses;
    };
  }
}
