import { describeValue } from '../../../diagnostics/index.js';
import type { Expression } from '../../../expression/index.js';
import { type CombineMethod, hasRelativeWeights, type ScorerEntry } from '../../../profile/index.js';
import { causeOf } from '../../failures/failures.js';
import { RunFailed } from '../../failures/run-errors.js';

/** Weights by position in the run: literal in a sum; in the means divided by their sum, added in order. NaN where all are 0. */
export function normalizedWeights(
  combine: CombineMethod,
  ids: readonly string[],
  weights: readonly number[],
): Float64Array {
  const vector = Float64Array.from(weights);
  const wrong = ids.findIndex((_, k) => !Number.isFinite(vector[k]) || (hasRelativeWeights(combine) && vector[k]! < 0));
  if (wrong >= 0) {
    const expected = hasRelativeWeights(combine) ? 'a finite number of at least 0' : 'a finite number';
    throw new RunFailed(ids[wrong]!, 'score', new RangeError(`its weight is ${weights[wrong]}; expected ${expected}`));
  }
  const total = weights.reduce((sum, weight) => sum + Math.abs(weight), 0);
  if (total === 0) return vector.fill(Number.NaN); // no score counts: every row is resolved, and unscored
  if (!hasRelativeWeights(combine)) return vector;
  if (Number.isFinite(total)) return vector.map((weight) => weight / total);
  // Their sum overflows a double; their proportions do not.
  return normalizedWeights(
    combine,
    ids,
    weights.map((weight) => weight / weights.length),
  );
}

/** An entry's own weight in this run: its number, or the value of its expression. */
export function ownWeight({ id, weight }: ScorerEntry, evaluate: (expression: Expression) => unknown): number {
  if (typeof weight === 'number') return weight;
  const label = `its weight ${weight.source}`;
  let value: unknown;
  try {
    value = evaluate(weight);
  } catch (error) {
    throw new RunFailed(id, 'score', new TypeError(`${label} failed: ${causeOf(error)}`, { cause: error }));
  }
  if (typeof value === 'number') return value;
  throw new RunFailed(id, 'score', new TypeError(`${label} gave ${describeValue(value)}; expected a number`));
}
