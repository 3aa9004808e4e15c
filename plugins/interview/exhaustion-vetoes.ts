import { type BatchVeto, defineVeto, type ParamsOf, type Run, type Score, z } from '../../src/unit-sdk.js';
import { recentNodesOf } from './concepts.js';
import { elementPhrase, readMove, unlessExempt } from './fields.js';
import { answersOf, containsAny, EXHAUSTION_PHRASES, historyOf, lastOf, streakOf } from './history.js';
import { exemptStrategiesParam, lookbackParam, phrasesParam, strategyIdsParam, vetoedStrategies } from './params.js';

type ConsecutiveExhaustionParams = ParamsOf<typeof ConsecutiveExhaustionScorer>;

/** Refuses further questions of the same kind after several answers in a row with nothing more to say. */
export class ConsecutiveExhaustionScorer implements BatchVeto<ConsecutiveExhaustionParams> {
  static readonly meta = defineVeto({
    summary: 'Refuses further questions after several answers in a row with nothing more to say.',
    params: z.strictObject({
      threshold: z
        .int()
        .positive()
        .default(3)
        .describe('The number of such answers in a row after which moves are refused.'),
      negative_patterns: phrasesParam(EXHAUSTION_PHRASES, 'Phrases of such an answer.'),
      vetoed_strategies: strategyIdsParam(['deepen', 'broaden', 'cover_element'], 'The strategies that are refused.'),
      exempt_strategies: exemptStrategiesParam,
    }),
    scope: 'candidate',
    reasons: {
      exhausted: '{count} answers in a row have nothing more to say',
      fresh: '{count} answers in a row have nothing more to say, less than {threshold}',
      other_strategy: '{strategy} asks another kind of question',
    },
  });

  prepare(params: ConsecutiveExhaustionParams, { context }: Run): Score<unknown, boolean> {
    const { threshold, negative_patterns: patterns } = params;
    const vetoed = vetoedStrategies(params);
    const count = streakOf(answersOf(historyOf(context)), ({ lower }) => containsAny(lower, patterns));
    return (candidate, _index, note) => {
      const { strategy } = readMove(candidate);
      const applies = vetoed.has(strategy);
      if (applies) note?.(count >= threshold ? 'exhausted' : 'fresh', { count, threshold });
      else note?.('other_strategy', { strategy });
      return applies && count >= threshold;
    };
  }
}

type ElementExhaustedParams = ParamsOf<typeof ElementExhaustedScorer>;

/** Refuses an element after enough mentions, if enough recent nodes name it. */
export class ElementExhaustedScorer implements BatchVeto<ElementExhaustedParams> {
  static readonly meta = defineVeto({
    summary: 'Refuses elements that were mentioned often enough.',
    params: z.strictObject({
      max_mentions: z
        .int()
        .positive()
        .default(5)
        .describe('The number of utterances with the element that are enough.'),
      min_related_nodes: z
        .int()
        .min(0)
        .default(2)
        .describe('The number of recent nodes that must name the element, so that it is more than a word.'),
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

  prepare(params: ElementExhaustedParams, { context }: Run): Score<unknown, boolean> {
    const { max_mentions: most, min_related_nodes: least } = params;
    const utterances = lastOf(historyOf(context), params.lookback_window);
    const labels = recentNodesOf(context).map(({ label = '' }) => label.toLowerCase());
    return unlessExempt(params, ({ element }, _index, note) => {
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
    });
  }
}
