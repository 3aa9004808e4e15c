import { abstain, defineVeto, type ParamsOf, path, type RowVeto, readFinite, type Score, z } from '../../../src/sdk.js';

type Params = ParamsOf<typeof ThresholdVeto>;

/** Refuses candidates with a number below `min` or above `max`; the bounds themselves pass. */
export class ThresholdVeto implements RowVeto<Params> {
  static readonly meta = defineVeto({
    summary: 'Refuses candidates with a number below a minimum or above a maximum.',
    reads: 'params',
    params: z
      .strictObject({
        value: path().describe('The path to the number.'),
        min: z.number().optional().describe('The least that passes; min, max or both.'),
        max: z.number().optional().describe('The most that passes.'),
      })
      .refine(({ min, max }) => min !== undefined || max !== undefined, 'expected min, max or both')
      .refine(({ min, max }) => min === undefined || max === undefined || min <= max, {
        path: ['min'],
        message: 'expected min to be at most max',
      }),
    formula: ({ value, min, max }, parts) => {
      const tests = [
        ...(min === undefined ? [] : [`${parts.path(value)} < ${parts.number(min)}`]),
        ...(max === undefined ? [] : [`${parts.path(value)} > ${parts.number(max)}`]),
      ];
      return tests.join(' || ');
    },
    reasons: {
      below: '{value} is below {min}',
      above: '{value} is above {max}',
      within: '{value} is within the limits',
      absent: '{field} is absent',
    },
  });

  compile({ value, min, max }: Params): Score<unknown, boolean> {
    return (candidate, _index, note) => {
      const found = readFinite(value, candidate);
      if (found === undefined) return abstain(note, 'absent', { field: value.source });
      if (min !== undefined && found < min) {
        note?.('below', { value: found, min });
        return true;
      }
      if (max !== undefined && found > max) {
        note?.('above', { value: found, max });
        return true;
      }
      note?.('within', { value: found });
      return false;
    };
  }
}
