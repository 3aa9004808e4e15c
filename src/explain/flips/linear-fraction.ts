import type { RuleStep } from '../../engine/stages/adjust/types.js';
import type { CombineTerm } from '../explanation.js';

/**
 * (p + q·t) / (r + s·t): what a score is while one number t varies. A weighted mean is one in each of its weights and
 * scores, a weighted sum likewise, and so is what rules make of one that shift, scale and set it.
 */
export interface LinearFraction {
  readonly p: number;
  readonly q: number;
  readonly r: number;
  readonly s: number;
}

/** One row of a sum: the settled scores, some of which may be missing, and the weights as they are written. */
export interface WeightedRow {
  readonly method: CombineTerm['method'];
  readonly values: readonly (number | undefined)[];
  readonly weights: readonly number[];
}

/** The scores and weights of a row but for one, summed. */
function sumsWithout(
  { values, weights }: WeightedRow,
  but: number,
): { readonly sum: number; readonly here: number; all: number } {
  let [sum, here, all] = [0, 0, 0];
  for (const [k, value] of values.entries()) {
    if (k === but) continue;
    const weight = weights[k] ?? 0;
    all += Math.abs(weight);
    if (value === undefined) continue;
    here += Math.abs(weight);
    sum += weight * value;
  }
  return { sum, here, all };
}

/**
 * The score as a function of the k-th weight. What is missing leaves a mean with its weight.
 *
 * @returns undefined where it is no such fraction: another way to combine, or a sum that is scaled for what is missing
 */
export function fractionByWeight(row: WeightedRow, k: number): LinearFraction | undefined {
  const { sum, here } = sumsWithout(row, k);
  const value = row.values[k];
  if (row.method === 'weighted_mean')
    return value === undefined ? { p: sum, q: 0, r: here, s: 0 } : { p: sum, q: value, r: here, s: 1 };
  if (row.method !== 'weighted_sum' || row.values.includes(undefined)) return undefined;
  return { p: sum, q: value ?? 0, r: 1, s: 0 };
}

/** The score as a function of the k-th scorer's number, which is there even where it was missing. */
export function fractionByValue(row: WeightedRow, k: number): LinearFraction | undefined {
  const { sum, here, all } = sumsWithout(row, k);
  const weight = row.weights[k] ?? 0;
  if (row.method === 'weighted_mean') return { p: sum, q: weight, r: here + weight, s: 0 };
  if (row.method !== 'weighted_sum') return undefined;
  const present = here + Math.abs(weight);
  const scale = (all + Math.abs(weight)) / present;
  return present > 0 ? { p: sum * scale, q: weight * scale, r: 1, s: 0 } : undefined;
}

/** A score under the operations of rules, of whose bounds it is known whether they bite. */
export function applySteps(score: LinearFraction, steps: readonly StepEffect[]): LinearFraction {
  let { p, q, r, s } = score;
  for (const { operation, amount, binds } of steps) {
    if (operation === 'add') [p, q] = [p + amount * r, q + amount * s];
    else if (operation === 'multiply') [p, q] = [p * amount, q * amount];
    else if (operation === 'set' || binds) [p, q, r, s] = [amount, 0, 1, 0];
  }
  return { p, q, r, s };
}

/** One operation of a rule, and whether it changed the score. */
export interface StepEffect extends Pick<RuleStep, 'operation' | 'amount'> {
  readonly binds: boolean;
}

/** The operations of rules with what each came to, from the combined score on. */
export function stepEffects(combined: number | undefined, steps: readonly RuleStep[]): readonly StepEffect[] {
  let before = combined;
  return steps.map(({ operation, amount, score }) => {
    const bites = score !== before;
    before = score;
    return { operation, amount, binds: bites };
  });
}

/** Where two fractions are equal: none, one or two numbers, ascending; none as well where they are equal everywhere. */
export function intersections(x: LinearFraction, y: LinearFraction): readonly number[] {
  const c = x.p * y.r - y.p * x.r;
  const b = x.p * y.s + x.q * y.r - y.p * x.s - y.q * x.r;
  const a = x.q * y.s - y.q * x.s;
  if (a === 0) return b === 0 ? [] : [-c / b];
  const inside = b * b - 4 * a * c;
  if (inside < 0) return [];
  // Of the two ways to write a root the one that does not subtract what is nearly equal.
  const large = -(b + (b < 0 ? -1 : 1) * Math.sqrt(inside)) / 2;
  const roots = large === 0 ? [0] : [large / a, c / large];
  return roots.filter(Number.isFinite).toSorted((one, other) => one - other);
}
