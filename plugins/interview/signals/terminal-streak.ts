import { defineSignal, type ParamsOf, type RunFacts, type Signal, z } from '../../../src/sdk.js';
import { numberAt } from '../turn/field-readers.js';
import { answersOf, historyOf, streakOf } from '../turn/history.js';
import { phrasesParam } from '../turn/params.js';
import { containsAny, EXHAUSTION_PHRASES } from '../turn/text.js';

type Params = ParamsOf<typeof TerminalStreak>;

/** Counts the answers in a row, up to the current one, that have nothing more to say. */
export class TerminalStreak implements Signal<Params, number> {
  static readonly meta = defineSignal({
    summary: 'How many answers in a row have nothing more to say.',
    params: z.strictObject({
      negative_patterns: phrasesParam(EXHAUSTION_PHRASES, 'What such an answer contains.'),
      include_current: z
        .boolean()
        .default(false)
        .describe('Whether the current answer counts; context.terminal_streak, where it is given, is without it.'),
    }),
  });

  prepare({ negative_patterns: patterns, include_current: includeCurrent }: Params, { context }: RunFacts): number {
    const answers = answersOf(historyOf(context));
    const current = answers.slice(-1);
    const streak = (utterances: typeof answers): number =>
      streakOf(utterances, ({ lower }) => containsAny(lower, patterns));
    const before = numberAt(context, 'terminal_streak', 'context') ?? streak(answers.slice(0, -1));
    return includeCurrent ? (current.length > 0 && streak(current) === current.length ? before + 1 : 0) : before;
  }
}
