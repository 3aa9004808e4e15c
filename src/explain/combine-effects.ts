import { COMBINE_FACTS, type CombineFacts, type CombineName } from '../profile/combine-methods.js';

/** How a scorer takes part in a combined score. */
export interface CombineEffect {
  /** As a summand, as a factor, as the one that is the score, or however a formula has it. */
  readonly kind: 'summand' | 'factor' | 'extreme' | 'formula';
  /** What a value brings to the score; `weight` is 1 where the combine reads none. */
  readonly contribution?: (value: number, weight: number) => number;
  /** The heads of the columns of weights and of contributions, where a table shows them. */
  readonly heads?: readonly [weight: string, contribution: string];
}

const EFFECTS: Readonly<Record<CombineFacts['arithmetic'], CombineEffect>> = {
  sum: { kind: 'summand', contribution: (value, weight) => value * weight, heads: ['× weight', '= adds'] },
  geometric: { kind: 'factor', contribution: (value, weight) => value ** weight, heads: ['^ weight', '= factor'] },
  product: { kind: 'factor', contribution: (value) => value },
  min: { kind: 'extreme' },
  max: { kind: 'extreme' },
  formula: { kind: 'formula' },
};

/** How scorers take part in a score that is combined so. */
export const combineEffect = (method: CombineName): CombineEffect => EFFECTS[COMBINE_FACTS[method].arithmetic];
