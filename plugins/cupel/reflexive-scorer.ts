import {
  abstain,
  defineScorer,
  type ParamsOf,
  path,
  type RowScorer,
  readNumber,
  type Score,
  z,
} from '../../src/sdk.js';

type Params = ParamsOf<typeof ReflexiveScorer>;

/** Takes the relevance that a candidate brings, clamped to 0 to 1; 0 where it is not finite, +∞ included. */
export class ReflexiveScorer implements RowScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Takes the relevance that the candidate brings with it.',
    reads: 'params',
    params: z.strictObject({
      field: path('future_relevance_hint').describe('The path to a number, which is cut to 0 to 1.'),
    }),
    range: [0, 1],
    onAbsent: 0,
    reasons: {
      hinted: '{field} is {hint}',
      not_finite: '{field} is {hint}, which is not finite',
      absent: '{field} is absent',
    },
  });

  compile({ field }: Params): Score<unknown> {
    return (candidate, _index, note) => {
      const hint = readNumber(field, candidate);
      if (hint === undefined) return abstain(note, 'absent', { field: field.source });
      const finite = Number.isFinite(hint);
      note?.(finite ? 'hinted' : 'not_finite', { field: field.source, hint });
      return finite ? clamp01(hint) : 0;
    };
  }
}

const clamp01 = (value: number): number => (value < 0 ? 0 : value > 1 ? 1 : value);
