/** The properties of one combine method. Code reads these instead of comparing method names. */
export interface CombineFacts {
  /** The display name. */
  readonly label: string;
  /** The role of a scorer in the result: a summand, a factor, or the scorer with the extreme score; `none`: no single role. */
  readonly effect: 'summand' | 'factor' | 'extreme' | 'none';
  /** `relative`: only the proportions of the weights count; `literal`: each weight is used as written. */
  readonly weights: 'relative' | 'literal' | 'none';
}

/** The named combine methods, by the name that a profile writes. To add one, see "Add a combine method" in `src/engine/README.md`. */
const METHODS = {
  weighted_mean: { label: 'weighted mean', effect: 'summand', weights: 'relative' },
  weighted_sum: { label: 'weighted sum', effect: 'summand', weights: 'literal' },
  product: { label: 'product', effect: 'factor', weights: 'none' },
  geometric_mean: { label: 'geometric mean', effect: 'factor', weights: 'relative' },
  harmonic_mean: { label: 'harmonic mean', effect: 'none', weights: 'relative' },
  min: { label: 'the least', effect: 'extreme', weights: 'none' },
  max: { label: 'the greatest', effect: 'extreme', weights: 'none' },
} as const satisfies Record<string, CombineFacts>;

/** A name that a profile may write: `combine: weighted_mean`. */
export type CombineMethodName = keyof typeof METHODS;

/** The name of a combine method; `formula` stands for every formula. */
export type CombineName = CombineMethodName | 'formula';

/** A combine method, as a profile or an explanation holds it. */
type Combine = CombineName | { readonly formula: unknown };

/** All names, in the order of the table. */
export const COMBINE_METHOD_NAMES: readonly CombineMethodName[] = Object.keys(METHODS).filter(
  (name): name is CombineMethodName => Object.hasOwn(METHODS, name),
);

/** The properties of every combine method, including `formula`. */
const COMBINE_FACTS: Readonly<Record<CombineName, CombineFacts>> = {
  ...METHODS,
  formula: { label: 'formula', effect: 'none', weights: 'none' },
};

/** The name of a combine method. */
export const combineName = (combine: Combine): CombineName => (typeof combine === 'string' ? combine : 'formula');

/** The properties of a combine method: its label, and how scores and weights take part. */
export const combineFacts = (combine: Combine): CombineFacts => COMBINE_FACTS[combineName(combine)];

/** Whether only the proportions of the weights count. */
export const hasRelativeWeights = (combine: Combine): boolean => combineFacts(combine).weights === 'relative';

/** Whether the method uses weights. */
export const readsWeights = (combine: Combine): boolean => combineFacts(combine).weights !== 'none';

/** Whether the result is a sum with one term per scorer. */
export const isAdditive = (combine: Combine): boolean => combineFacts(combine).effect === 'summand';
