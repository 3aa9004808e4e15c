import { type BatchVeto, defineVeto, type ParamsOf, type Run, type Score, z } from '../../../src/sdk.js';
import { historyOf, questionsOf, streakOf } from '../turn/history.js';
import { readMove } from '../turn/interview-move.js';
import { exemptStrategiesParam, phrasesParam, strategyIdsParam, vetoedStrategies } from '../turn/params.js';
import { counterOf } from '../turn/signals.js';
import { containsAny } from '../turn/text.js';

type Params = ParamsOf<typeof QuestionRepetitionScorer>;

/** Refuses one more open question ("what else?") after several in a row. */
export class QuestionRepetitionScorer implements BatchVeto<Params> {
  static readonly meta = defineVeto({
    summary: 'Refuses one more "what else?" after several in a row.',
    params: z.strictObject({
      threshold: z.int().positive().default(3).describe('How many such questions in a row are too many.'),
      repetition_patterns: phrasesParam(['what else', 'what other', 'anything else'], 'What such a question contains.'),
      vetoed_strategies: strategyIdsParam(['broaden', 'cover_element'], 'What is refused then.'),
      exempt_strategies: exemptStrategiesParam,
    }),
    scope: 'candidate',
    reasons: {
      repeated: 'it would make {count} such questions in a row',
      other_question: 'it would be no such question',
      fresh: 'it would make {count} such questions in a row, less than {threshold}',
      other_strategy: '{strategy} may ask so',
    },
  });

  prepare(params: Params, run: Run): Score<unknown, boolean> {
    const { threshold, repetition_patterns: patterns } = params;
    const vetoed = vetoedStrategies(params);
    const before = counterOf(run, 'repetition_count', () =>
      streakOf(questionsOf(historyOf(run.context)), ({ lower }) => containsAny(lower, patterns)),
    );
    return (candidate, _index, note) => {
      const { strategy, description } = readMove(candidate);
      const count = containsAny(description.toLowerCase(), patterns) ? before + 1 : 0;
      const refuses = count >= threshold && vetoed.has(strategy);
      if (refuses) note?.('repeated', { count });
      else if (count === 0) note?.('other_question');
      else note?.(vetoed.has(strategy) ? 'fresh' : 'other_strategy', { count, threshold, strategy });
      return refuses;
    };
  }
}
