import { type BatchScorer, defineScorer, type ParamsOf, type Run, type Score, z } from '../../../src/sdk.js';
import { saturationOf } from '../turn/chao1-saturation.js';
import { historyOf } from '../turn/history.js';
import { readMove } from '../turn/interview-move.js';
import { lowInfoStreak } from '../turn/new-information.js';
import { fractionParam, ignoredParam } from '../turn/params.js';
import { counterOf } from '../turn/signals.js';
import { clampScore } from './clamp-score.js';

type Params = ParamsOf<typeof SaturationScorer>;

/** Favours breadth over depth at saturation: nearly all types of concepts were found, or answers repeat themselves. */
export class SaturationScorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Turns to new ground once nothing new comes up; rests at 1.',
    params: z.strictObject({
      chao1_threshold: fractionParam(0.9, 'A share of types found above this is saturated.'),
      run_length: z.int().positive().default(2).describe('So many turns in a row with little new are, too.'),
      saturated_penalty: z.number().default(0.7).describe('The score of depth then.'),
      breadth_boost: z.number().default(1.5).describe('The score of breadth then.'),
      new_info_threshold: ignoredParam,
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
    const scores: Readonly<Record<string, number>> = { depth: params.saturated_penalty, breadth: params.breadth_boost };
    return (candidate, _index, note) => {
      const { category = '' } = readMove(candidate);
      note?.(saturated ? 'saturated' : 'open', { share: found, streak });
      const value = saturated && Object.hasOwn(scores, category) ? scores[category] : undefined;
      return clampScore(value ?? 1);
    };
  }
}
