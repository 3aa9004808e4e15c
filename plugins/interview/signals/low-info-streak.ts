import { defineSignal, type RunFacts, type Signal, z } from '../../../src/sdk.js';
import { numberAt } from '../turn/field-readers.js';
import { historyOf } from '../turn/history.js';
import { lowInfoStreak } from '../turn/new-information.js';

/** Counts the turns in a row that brought little new: fewer than one in five of the answer's concepts. */
export class LowInfoStreak implements Signal<object, number> {
  static readonly meta = defineSignal({
    summary: 'How many turns in a row brought little new, by the concepts of the answers.',
    params: z.strictObject({}),
  });

  prepare(_params: object, { context }: RunFacts): number {
    return numberAt(context, 'low_info_streak', 'context') ?? lowInfoStreak(historyOf(context));
  }
}
