import { abstain, defineScorer, type ParamsOf, path, type RowScorer, type Score, z } from 'assize/sdk';

type Params = ParamsOf<typeof NameScorer>;

/** Favours candidates with a high number. */
export class NameScorer implements RowScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Favours candidates with a high number.',
    params: z.strictObject({
      value: path('value').describe('The path to the number.'),
      most: z.number().positive().default(1).describe('The number from which on the score is 1.'),
    }),
    range: [0, 1],
    reasons: { measured: '{value} of {most}', missing: 'no number' },
  });

  /** Called once per pipeline, with params that the schema above parsed. The score is a pure function of a candidate. */
  compile({ value, most }: Params): Score<unknown> {
    return (candidate, _index, note) => {
      const found = value(candidate);
      if (typeof found !== 'number') return abstain(note, 'missing');
      note?.('measured', { value: found, most });
      return Math.min(1, Math.max(0, found / most));
    };
  }
}
