import { type BatchVeto, defineVeto, type ParamsOf, type Run, type Score, z } from '../../../src/sdk.js';
import { answersOf, historyOf, streakOf } from '../turn/history.js';
import { readMove } from '../turn/interview-move.js';
import { exemptStrategiesParam, phrasesParam, strategyIdsParam, vetoedStrategies } from '../turn/params.js';
import { containsAny, EXHAUSTION_PHRASES } from '../turn/text.js';

type Params = ParamsOf<typeof ConsecutiveExhaustionScorer>;

/** Refuses more questions of the same vein after several answers in a row with nothing more to say. */
export class ConsecutiveExhaustionScorer implements BatchVeto<Params> {
  static readonly meta = defineVeto({
    summary: 'Refuses to ask on after several answers in a row with nothing more to say.',
    params: z.strictObject({
      threshold: z.int().positive().default(3).describe('How many such answers in a row refuse.'),
      negative_patterns: phrasesParam(EXHAUSTION_PHRASES, 'What such an answer contains.'),
      vetoed_strategies: strategyIdsParam(['deepen', 'broaden', 'cover_element'], 'What is refused then.'),
      exempt_strategies: exemptStrategiesParam,
    }),
    scope: 'candidate',
    reasons: {
      exhausted: '{count} answers in a row have nothing more to say',
      fresh: '{count} answers in a row have nothing more to say, less than {threshold}',
      other_strategy: '{strategy} asks in another vein',
    },
  });

  prepare(params: Params, { context }: Run): Score<unknown, boolean> {
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
