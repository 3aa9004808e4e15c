import {
  type BatchScorer,
  defineScorer,
  type ParamsOf,
  path,
  type Run,
  readFinite,
  type Score,
  z,
} from '../../src/sdk.js';
import { percentRank } from './percent-rank.js';

type Params = ParamsOf<typeof PriorityScorer>;

/**
 * Scores how high a candidate's priority is among those of the batch: with `c` candidates that have one and `r` of
 * these strictly lower, `r / (c − 1)`, and 1 where it is the only one.
 */
export class PriorityScorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Favours a higher number than the others in the batch have, by rank.',
    reads: 'params',
    params: z.strictObject({ field: path('priority').describe('The path to a number: higher is better.') }),
    scope: 'set',
    range: [0, 1],
    onAbsent: 0,
    reasons: {
      ranked: 'above {below} of {others} others',
      alone: 'the only one with {field}',
      absent: '{field} is absent',
    },
  });

  prepare({ field }: Params, { candidates }: Run): Score<unknown> {
    return percentRank(candidates, field, readFinite);
  }
}
