/** The facts of one way to combine. Code that depends on the way to combine reads them, and compares no names. */
export interface CombineFacts {
  /** Its name in texts. */
  readonly label: string;
  /** What a scorer is in the result: a summand, a factor, or the one whose score it is; `none`: it has no part of its own. */
  readonly effect: 'summand' | 'factor' | 'extreme' | 'none';
  /** `relative`: only the proportions of the weights count; `literal`: a weight is a factor as it stands. */
  readonly weights: 'relative' | 'literal' | 'none';
}

/** The ways to combine that have a name, by the name that a profile writes. */
const METHODS = {
  weighted_mean: { label: 'weighted mean', effect: 'summand', weights: 'relative' },
  weighted_sum: { label: 'weighted sum', effect: 'summand', weights: 'literal' },
  product: { label: 'product', effect: 'factor', weights: 'none' },
  geometric_mean: { label: 'geometric mean', effect: 'factor', weights: 'relative' },
  min: { label: 'the least', effect: 'extreme', weights: 'none' },
  max: { label: 'the greatest', effect: 'extreme', weights: 'none' },
} as const satisfies Record<string, CombineFacts>;

/** What a profile may write: `combine: weighted_mean`. */
export type CombineMethodName = keyof typeof METHODS;

/** The name of a way to combine; `formula` stands for every formula. */
export type CombineName = CombineMethodName | 'formula';

/** A way to combine as a profile or an explanation has it. */
type Combine = CombineName | { readonly formula: unknown };

/** The names in the order of the table. */
export const COMBINE_METHOD_NAMES: readonly CombineMethodName[] = Object.keys(METHODS).filter(
  (name): name is CombineMethodName => Object.hasOwn(METHODS, name),
);

/** The ways to combine, with the formula. */
export const COMBINE_FACTS: Readonly<Record<CombineName, CombineFacts>> = {
  ...METHODS,
  formula: { label: 'formula', effect: 'none', weights: 'none' },
};

/** The name of a profile's way to combine. */
export const combineName = (combine: Combine): CombineName => (typeof combine === 'string' ? combine : 'formula');

/** The facts of a profile's way to combine. */
export const combineFacts = (combine: Combine): CombineFacts => COMBINE_FACTS[combineName(combine)];

/** Whether only the proportions of the weights count. */
export const hasRelativeWeights = (combine: Combine): boolean => combineFacts(combine).weights === 'relative';

/** Whether weights are read at all. */
export const readsWeights = (combine: Combine): boolean => combineFacts(combine).weights !== 'none';

/** Whether the result is a sum of one term a scorer. */
export const isAdditive = (combine: Combine): boolean => combineFacts(combine).effect === 'summand';
