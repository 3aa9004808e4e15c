import { abstain, defineScorer, type ParamsOf, path, type RowScorer, type Score, z } from 'assize/sdk';

type Params = ParamsOf<typeof NameScorer>;

/** Favours candidates with a high number. */
export class NameScorer implements RowScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Favours candidates with a high number.',
    params: z.strictObject({
      value: path('value').describe('The path to the number.'),
      most: z.number().positive().default(1).describe('The number that scores 1, as does every higher one.'),
    }),
    range: [0, 1],
    reasons: { measured: '{value} of {most}', missing: 'no number' },
  });

  /** Once per pipeline: its params are what the schema above gave. The score is a pure function of a candidate. */
  compile({ value, most }: Params): Score<unknown> {
    return (candidate, _index, note) => {
      const found = value(candidate);
      if (typeof found !== 'number') return abstain(note, 'missing');
      note?.('measured', { value: found, most });
      return Math.min(1, Math.max(0, found / most));
    };
  }
}
