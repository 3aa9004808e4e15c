import { defineScorer, ownValue, type ParamsOf, path, type RowScorer, readMap, type Score, z } from '../../src/sdk.js';

type Params = ParamsOf<typeof MetadataKeyScorer>;

/**
 * Scores `boost` where a candidate's metadata has exactly this value under the key, else 1. The reference calls it a
 * multiplier, but it is a score: in a weighted mean it adds, and every other candidate has its 1 there, too.
 */
export class MetadataKeyScorer implements RowScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Raises candidates whose metadata has one value under one key.',
    reads: 'params',
    params: z.strictObject({
      field: path('metadata').describe('The path to a map.'),
      key: z.string().describe('The key in it, exactly.'),
      value: z.union([z.string(), z.number(), z.boolean()]).describe('The value, exactly: "1" is not 1.'),
      boost: z.number().positive().describe('The score where it matches; 1 where not.'),
    }),
    range: ({ boost }) => [Math.min(1, boost), Math.max(1, boost)],
    reasons: { matched: '{key} is {value}', unmatched: '{key} is not {value}' },
  });

  compile({ field, key, value, boost }: Params): Score<unknown> {
    return (candidate, _index, note) => {
      const matches = ownValue(readMap(field, candidate), key) === value;
      note?.(matches ? 'matched' : 'unmatched', { key, value });
      return matches ? boost : 1;
    };
  }
}
