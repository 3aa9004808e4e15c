/** The facts of a way to combine that checks, warnings, explanations and texts read. */
export interface CombineFacts {
  /** The key of a profile: `combine: weighted_mean`. */
  readonly name: string;
  /** What a text calls it. */
  readonly label: string;
  /** Whether weights count in proportion to each other (none negative, not all 0), as they are, or not at all. */
  readonly weights: 'relative' | 'literal' | 'none';
  /** What a scorer is in the result: a summand, a factor, or the one whose score it is; a formula decides itself. */
  readonly effect: 'summand' | 'factor' | 'extreme' | 'formula';
}

/**
 * Every way in which a row of raw scores becomes one number, but for a formula. To add one: a row here, and its
 * arithmetic in engine/combine-methods.ts, which is keyed by the names and does not compile without it.
 */
export const COMBINE_METHODS = [
  { name: 'weighted_mean', label: 'weighted mean', weights: 'relative', effect: 'summand' },
  { name: 'weighted_sum', label: 'weighted sum', weights: 'literal', effect: 'summand' },
  { name: 'product', label: 'product', weights: 'none', effect: 'factor' },
  { name: 'geometric_mean', label: 'geometric mean', weights: 'relative', effect: 'factor' },
  { name: 'min', label: 'the least', weights: 'none', effect: 'extreme' },
  { name: 'max', label: 'the greatest', weights: 'none', effect: 'extreme' },
] as const satisfies readonly CombineFacts[];

export type CombineMethodName = (typeof COMBINE_METHODS)[number]['name'];

/** The name of a way to combine; `formula` stands for every formula. */
export type CombineName = CombineMethodName | 'formula';

/** A name, or a formula. */
type Combine = CombineName | { readonly formula: unknown };

/** A formula reads what it names, and has no weights. */
const FORMULA_FACTS: CombineFacts = { name: 'formula', label: 'formula', weights: 'none', effect: 'formula' };

export const combineName = (combine: Combine): CombineName => (typeof combine === 'string' ? combine : 'formula');

/** The facts of a way to combine. */
export const combineFacts = (combine: Combine): CombineFacts =>
  COMBINE_METHODS.find(({ name }) => name === combine) ?? FORMULA_FACTS;

/** Whether only the proportions of the weights count. */
export const hasRelativeWeights = (combine: Combine): boolean => combineFacts(combine).weights === 'relative';

/** Whether the weights count as they are, whatever they sum to. */
export const hasLiteralWeights = (combine: Combine): boolean => combineFacts(combine).weights === 'literal';

/** Whether weights are read at all. */
export const readsWeights = (combine: Combine): boolean => combineFacts(combine).weights !== 'none';

/** Whether the result is a sum of one term a scorer, so that a scorer of a wider range outweighs the others. */
export const isAdditive = (combine: Combine): boolean => combineFacts(combine).effect === 'summand';
