import type { CombineMethod } from './profile.js';

/** The name of a way to combine; `formula` stands for every formula. */
export type CombineName = Extract<CombineMethod, string> | 'formula';

/** The facts of one way to combine. Code that depends on the way to combine reads them, and compares no names. */
export interface CombineFacts {
  /** Its name in texts. */
  readonly label: string;
  /** How the scores of one row become one number. Two ways that differ only in what their weights mean share one. */
  readonly arithmetic: 'sum' | 'product' | 'geometric' | 'min' | 'max' | 'formula';
  /** `relative`: only the proportions of the weights count; `literal`: a weight is a factor as it stands. */
  readonly weights: 'relative' | 'literal' | 'none';
}

/** The ways to combine. */
export const COMBINE_FACTS: Readonly<Record<CombineName, CombineFacts>> = {
  weighted_mean: { label: 'weighted mean', arithmetic: 'sum', weights: 'relative' },
  weighted_sum: { label: 'weighted sum', arithmetic: 'sum', weights: 'literal' },
  product: { label: 'product', arithmetic: 'product', weights: 'none' },
  geometric_mean: { label: 'geometric mean', arithmetic: 'geometric', weights: 'relative' },
  min: { label: 'the least', arithmetic: 'min', weights: 'none' },
  max: { label: 'the greatest', arithmetic: 'max', weights: 'none' },
  formula: { label: 'formula', arithmetic: 'formula', weights: 'none' },
};

/** The name of a profile's way to combine. */
export const combineName = (combine: CombineMethod): CombineName => (typeof combine === 'string' ? combine : 'formula');

/** The facts of a profile's way to combine. */
export const combineFacts = (combine: CombineMethod): CombineFacts => COMBINE_FACTS[combineName(combine)];
