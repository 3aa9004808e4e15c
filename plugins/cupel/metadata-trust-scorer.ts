import { defineScorer, type ParamsOf, path, type RowScorer, type Score, z } from '../../src/sdk.js';
import { readMapKey } from './read-map-key.js';

/** What the reference takes for a decimal number: no white space, no hexadecimal, nothing after it. */
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

type Params = ParamsOf<typeof MetadataTrustScorer>;

/**
 * The trust that a candidate's metadata states, cut to 0 to 1: a number, or a string that is a decimal number.
 * Anything else, a missing one and one that is not finite score `default_score`.
 */
export class MetadataTrustScorer implements RowScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Takes the trust that the candidate’s metadata states.',
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
      const trust = numberFrom(readMapKey(field, candidate, key));
      if (!Number.isFinite(trust)) {
        note?.('unstated', { key });
        return default_score;
      }
      note?.('trusted', { key, trust });
      return trust < 0 ? 0 : trust > 1 ? 1 : trust;
    };
  }
}

function numberFrom(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && DECIMAL.test(value) ? Number(value) : Number.NaN;
}
