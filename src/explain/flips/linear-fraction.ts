import type { RuleStep } from '../../engine/index.js';
import type { CombineFacts } from '../../profile/index.js';

/**
 * (p + q·t) / (r + s·t): a score as a function of one number t. Weighted means and sums are such fractions of each of
 * their weights and values, and stay so under rules that shift, scale or set them.
 */
export interface LinearFraction {
  readonly p: number;
  readonly q: number;
  readonly r: number;
  readonly s: number;
}

/** One row that is combined: its resolved scores, some of which may be missing, and the weights as they are written. */
export interface WeightedRow {
  readonly combine: Pick<CombineFacts, 'effect' | 'weights'>;
  readonly values: readonly (number | undefined)[];
  readonly weights: readonly number[];
}

/** Σ w·x and Σ|w| of those present, and Σ|w| of all, without one scorer. */
function sumsWithout(
  { values, weights }: WeightedRow,
  without: number,
): { readonly sum: number; readonly present: number; readonly all: number } {
  let [sum, present, all] = [0, 0, 0];
  for (const [k, value] of values.entries()) {
    if (k === without) continue;
    const weight = weights[k] ?? 0;
    all += Math.abs(weight);
    if (value === undefined) continue;
    present += Math.abs(weight);
    sum += weight * value;
  }
  return { sum, present, all };
}

/**
 * The score as a function of the k-th weight. A missing score leaves a mean together with its weight.
 *
 * @returns undefined where it is no such fraction: not a sum, or a literal sum that is scaled for missing scores
 */
export function fractionByWeight(row: WeightedRow, k: number): LinearFraction | undefined {
  if (row.combine.effect !== 'summand') return undefined;
  const { sum, present } = sumsWithout(row, k);
  const value = row.values[k];
  if (row.combine.weights === 'relative')
    return value === undefined ? { p: sum, q: 0, r: present, s: 0 } : { p: sum, q: value, r: present, s: 1 };
  if (row.values.includes(undefined)) return undefined;
  return { p: sum, q: value ?? 0, r: 1, s: 0 };
}

/** The score as a function of the k-th scorer's value, which is then present even where it was missing. */
export function fractionByValue(row: WeightedRow, k: number): LinearFraction | undefined {
  if (row.combine.effect !== 'summand') return undefined;
  const { sum, present, all } = sumsWithout(row, k);
  const weight = row.weights[k] ?? 0;
  if (row.combine.weights === 'relative') return { p: sum, q: weight, r: present + weight, s: 0 };
  const weightPresent = present + Math.abs(weight);
  const scale = (all + Math.abs(weight)) / weightPresent;
  return weightPresent > 0 ? { p: sum * scale, q: weight * scale, r: 1, s: 0 } : undefined;
}

/** Applies the operations of rules to a score, given whether each bound is binding. */
export function applySteps(score: LinearFraction, steps: readonly StepEffect[]): LinearFraction {
  let { p, q, r, s } = score;
  for (const { operation, amount, binds } of steps) {
    if (operation === 'add') [p, q] = [p + amount * r, q + amount * s];
    else if (operation === 'multiply') [p, q] = [p * amount, q * amount];
    else if (operation === 'set' || binds) [p, q, r, s] = [amount, 0, 1, 0];
  }
  return { p, q, r, s };
}

/** One operation of a rule, and whether it changed the score: whether a bound is binding. */
export interface StepEffect extends Pick<RuleStep, 'operation' | 'amount'> {
  readonly binds: boolean;
}

/** The operations of rules with their effects, from the combined score on. */
export function stepEffects(combined: number | undefined, steps: readonly RuleStep[]): readonly StepEffect[] {
  let before = combined;
  return steps.map(({ operation, amount, score }) => {
    const binds = score !== before;
    before = score;
    return { operation, amount, binds };
  });
}

/** The numbers at which two fractions are equal, ascending: at most two; none where they are equal everywhere. */
export function intersections(x: LinearFraction, y: LinearFraction): readonly number[] {
  const c = x.p * y.r - y.p * x.r;
  const b = x.p * y.s + x.q * y.r - y.p * x.s - y.q * x.r;
  const a = x.q * y.s - y.q * x.s;
  if (a === 0) return b === 0 ? [] : [-c / b];
  const discriminant = b * b - 4 * a * c;
  if (discriminant < 0) return [];
  // Of the two formulas for a root the one that does not subtract nearly equal numbers.
  const large = -(b + (b < 0 ? -1 : 1) * Math.sqrt(discriminant)) / 2;
  const roots = large === 0 ? [0] : [large / a, c / large];
  return roots.filter(Number.isFinite).toSorted((u, v) => u - v);
}
