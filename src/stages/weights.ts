import type { Expression } from '../expression/expression.js';
import type { Combine, ScorerEntry } from '../profile/profile.js';
import { isRelative } from './combine.js';
import { RunFailed } from './plan.js';

/** Weights by position in the run: literal in a sum; in the means divided by their sum, taken in order. */
export function weightVector(combine: Combine, ids: readonly string[], weights: readonly number[]): Float64Array {
  const vector = Float64Array.from(weights);
  const wrong = ids.findIndex((_, k) => !Number.isFinite(vector[k]) || (isRelative(combine) && vector[k]! < 0));
  if (wrong >= 0) {
    const expected = isRelative(combine) ? 'a finite number of at least 0' : 'a finite number';
    throw new RunFailed(ids[wrong]!, 'score', new RangeError(`its weight is ${weights[wrong]}; expected ${expected}`));
  }
  if (!isRelative(combine)) return vector;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return total === 0 ? vector : vector.map((weight) => weight / total);
}

/** An entry's own weight in this run: its number, or what its expression gives. */
export function ownWeight({ id, weight }: ScorerEntry, evaluate: (expression: Expression) => unknown): number {
  if (typeof weight === 'number') return weight;
  const value = evaluate(weight);
  if (typeof value === 'number') return value;
  throw new RunFailed(
    id,
    'score',
    new TypeError(
      `its weight ${weight.source} gave ${value === undefined ? 'nothing' : typeof value}; expected a number`,
    ),
  );
}
