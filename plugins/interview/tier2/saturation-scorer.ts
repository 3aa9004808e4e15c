import { type BatchScorer, defineScorer, type ParamsOf, type Run, type Score, z } from '../../../src/sdk.js';
import { saturationOf } from '../turn/chao1.js';
import { counterOf } from '../turn/counters.js';
import { historyOf } from '../turn/history.js';
import { lowInfoStreak } from '../turn/information.js';
import { moveOf } from '../turn/move.js';
import { share, unread } from '../turn/params.js';

const [LEAST, MOST] = [0.5, 1.8];

type Params = ParamsOf<typeof SaturationScorer>;

/** Turns to new ground once nothing new comes up: nearly all types of concepts were found, or answers repeat. */
export class SaturationScorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Turns to new ground once nothing new comes up; rests at 1.',
    params: z.strictObject({
      chao1_threshold: share(0.9, 'A share of types found above this is saturated.'),
      run_length: z.int().positive().default(2).describe('So many turns in a row with little new are, too.'),
      saturated_penalty: z.number().default(0.7).describe('The score of depth then.'),
      breadth_boost: z.number().default(1.5).describe('The score of breadth then.'),
      new_info_threshold: unread,
    }),
    range: [0, 2],
    scope: 'candidate',
    reasons: {
      saturated: '{share} of the types are found, {streak} turns with little new: saturated',
      open: '{share} of the types are found, {streak} turns with little new',
    },
  });

  prepare(params: Params, run: Run): Score<unknown> {
    const found = saturationOf(run.context);
    const streak = counterOf(run, 'low_info_streak', () => lowInfoStreak(historyOf(run.context)));
    const saturated = found > params.chao1_threshold || streak >= params.run_length;
    const worth: Readonly<Record<string, number>> = { depth: params.saturated_penalty, breadth: params.breadth_boost };
    return (candidate, _index, note) => {
      const { category = '' } = moveOf(candidate);
      note?.(saturated ? 'saturated' : 'open', { share: found, streak });
      const value = saturated && Object.hasOwn(worth, category) ? worth[category] : undefined;
      return Math.min(MOST, Math.max(LEAST, value ?? 1));
    };
  }
}
