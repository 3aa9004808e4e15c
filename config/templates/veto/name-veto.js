// @ts-check
import { abstain, defineVeto, path, z } from 'assize/sdk';

/** @import { ParamsOf, RowVeto, Score } from 'assize/sdk' */
/** @typedef {ParamsOf<typeof NameVeto>} Params */

/**
 * Refuses candidates with a number that is too high.
 *
 * @implements {RowVeto<Params>}
 */
export class NameVeto {
  static meta = defineVeto({
    summary: 'Refuses candidates with a number that is too high.',
    params: z.strictObject({
      value: path('value').describe('The path to the number.'),
      most: z.number().default(1).describe('The highest number that passes.'),
    }),
    reasons: { too_high: '{value} is above {most}', missing: 'no number' },
  });

  /**
   * Called once per pipeline, with params that the schema above parsed. A score of true refuses the candidate.
   *
   * @param {Params} params
   * @returns {Score<unknown, boolean>}
   */
  compile({ value, most }) {
    return (candidate, _index, note) => {
      const found = value(candidate);
      if (typeof found !== 'number') return abstain(note, 'missing');
      if (found <= most) return false;
      note?.('too_high', { value: found, most });
      return true;
    };
  }
}
