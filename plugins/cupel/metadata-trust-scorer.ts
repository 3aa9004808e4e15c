import { defineScorer, ownValue, type ParamsOf, path, type RowScorer, readMap, type Score, z } from '../../src/sdk.js';

/** A decimal number as the reference parses it: no white space, no hexadecimal, nothing after it. */
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

type Params = ParamsOf<typeof MetadataTrustScorer>;

/**
 * Takes the trust that a candidate's metadata states, clamped to 0 to 1: a number, or a decimal number as a string. A
 * missing trust, one that is not finite and anything else score `default_score`.
 */
export class MetadataTrustScorer implements RowScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Takes the trust that the candidate’s metadata states.',
    reads: 'params',
    params: z.strictObject({
      field: path('metadata').describe('The path to a map.'),
      key: z.string().default('cupel:trust').describe('The key of the trust in it, exactly.'),
      default_score: z
        .number()
        .min(0)
        .max(1)
        .default(0.5)
        .describe('The score where there is no number under the key.'),
    }),
    range: [0, 1],
    reasons: { trusted: '{key} is {trust}', unstated: '{key} is missing or no number' },
  });

  compile({ field, key, default_score }: Params): Score<unknown> {
    return (candidate, _index, note) => {
      const trust = numberFrom(ownValue(readMap(field, candidate), key));
      if (!Number.isFinite(trust)) {
        note?.('unstated', { key });
        return default_score;
      }
      note?.('trusted', { key, trust });
      return trust < 0 ? 0 : trust > 1 ? 1 : trust;
    };
  }
}

/** The number that a value states; NaN where it states none. */
function numberFrom(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && DECIMAL.test(value) ? Number(value) : Number.NaN;
}
