import type { CombineTerm } from '../explanation.js';

/** What each way to combine is called in a text. */
export const COMBINE_METHOD_NAMES: Readonly<Record<CombineTerm['method'], string>> = {
  weighted_mean: 'weighted mean',
  weighted_sum: 'weighted sum',
  product: 'product',
  geometric_mean: 'geometric mean',
  min: 'the least',
  max: 'the greatest',
  formula: 'formula',
};
