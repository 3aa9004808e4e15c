import {
  type BatchScorer,
  defineScorer,
  type ParamsOf,
  type PathReader,
  path,
  type Run,
  type Score,
  toMillis,
  z,
} from '../../src/sdk.js';
import { percentRank } from './percent-rank.js';

type Params = ParamsOf<typeof RecencyScorer>;

/**
 * Scores how late a candidate's time is among those of the batch: with `c` dated candidates and `r` of these strictly
 * earlier, `r / (c − 1)`, and 1 where it is the only dated one.
 */
export class RecencyScorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Favours what is later than the others in the batch, by rank.',
    reads: 'params',
    params: z.strictObject({
      field: path('timestamp').describe('The path to a time: milliseconds since 1970, ISO 8601, or a Date.'),
    }),
    scope: 'set',
    range: [0, 1],
    onAbsent: 0,
    reasons: {
      ranked: 'later than {below} of {others} others',
      alone: 'the only one with {field}',
      absent: '{field} is absent',
    },
  });

  prepare({ field }: Params, { candidates }: Run): Score<unknown> {
    return percentRank(candidates, field, readTime);
  }
}

function readTime(field: PathReader, candidate: unknown): number | undefined {
  const at = field(candidate);
  return at === undefined ? undefined : toMillis(at);
}
