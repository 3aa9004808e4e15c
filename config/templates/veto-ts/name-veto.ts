import { abstain, defineVeto, type ParamsOf, path, type RowVeto, type Score, z } from 'assize/sdk';

type Params = ParamsOf<typeof NameVeto>;

/** Refuses candidates with a number that is too high. */
export class NameVeto implements RowVeto<Params> {
  static readonly meta = defineVeto({
    summary: 'Refuses candidates with a number that is too high.',
    params: z.strictObject({
      value: path('value').describe('The path to the number.'),
      most: z.number().default(1).describe('The highest number that passes.'),
    }),
    reasons: { too_high: '{value} is above {most}', missing: 'no number' },
  });

  /** Called once per pipeline, with params that the schema above parsed. A score of true refuses the candidate. */
  compile({ value, most }: Params): Score<unknown, boolean> {
    return (candidate, _index, note) => {
      const found = value(candidate);
      if (typeof found !== 'number') return abstain(note, 'missing');
      if (found <= most) return false;
      note?.('too_high', { value: found, most });
      return true;
    };
  }
}
