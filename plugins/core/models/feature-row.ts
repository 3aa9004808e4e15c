import { abstain, type Live, type Note, z } from '../../../src/sdk.js';
import { compileFeatures, type Features } from './feature-values.js';

/** What a missing feature counts as. */
export type Missing = number | 'nan' | 'abstain';

/** A param that says what a missing feature counts as. */
export const missingParam = () =>
  z
    .union([z.number(), z.literal(['nan', 'abstain'])])
    .default('nan')
    .describe('What a missing feature counts as: NaN as in training, a number (0 for sparse data), or `abstain`.');

/**
 * Fills in the features that a model reads of one candidate, missing ones included.
 *
 * @returns false where the unit abstains, with the reason noted: `absent`, or `missing` with the `name`
 */
export type ReadFeatureRow = (candidate: unknown, index: number, values: Float64Array, note?: Note) => boolean;

/**
 * Compiles the reading of a model's features.
 *
 * @param names  the names by position
 * @param wanted the positions whose values are read
 */
export function compileFeatureRow(
  features: Features,
  names: readonly string[],
  wanted: readonly number[],
  missing: Missing,
  live: Pick<Live, 'child'>,
): ReadFeatureRow {
  const fill = compileFeatures(features, names, wanted, live);
  const instead = typeof missing === 'number' ? missing : Number.NaN;
  return (candidate, index, values, note) => {
    if (!fill(candidate, index, values, note)) {
      abstain(note, 'absent');
      return false;
    }
    for (const feature of wanted) {
      if (!Number.isNaN(values[feature]!)) continue;
      if (missing === 'abstain') {
        abstain(note, 'missing', { name: names[feature]! });
        return false;
      }
      values[feature] = instead;
    }
    return true;
  };
}
