import { type CurvePoint, curveAt } from '../../evaluate/curves/curve.js';
import type { Weighed } from './weighing.js';

/** What was found for one scorer: its weight and, where its score goes through a curve, the points of it. */
export interface Part {
  readonly weight: number;
  readonly points?: readonly CurvePoint[] | undefined;
}

/** What was found, by tuned scorer. */
export type Model = readonly Part[];

/** A model over columns: those with a curve are read off it, once. */
export function weighedBy(model: Model, columns: readonly Float64Array[], rows: Int32Array): Weighed {
  return {
    weights: model.map(({ weight }) => weight),
    columns: model.map(({ points }, k) => (points ? throughCurve(points, columns[k]!, rows) : columns[k]!)),
  };
}

function throughCurve(points: readonly CurvePoint[], column: Float64Array, rows: Int32Array): Float64Array {
  const read = new Float64Array(column.length).fill(Number.NaN);
  for (const row of rows) if (!Number.isNaN(column[row]!)) read[row] = curveAt(points, column[row]!);
  return read;
}

/** The sum of the weights has at least so many steps, and more than this number of weights shares more. */
const STEPS = 100;
const FEW_WEIGHTS = 12;

/** The step of weights with some sum: a power of ten, so that two or three digits of a mean weight are left. */
const stepOf = (sum: number, count: number): number =>
  10 ** Math.floor(Math.log10(sum / (STEPS * Math.max(1, count / FEW_WEIGHTS))) + 1e-9);

/**
 * Weights as a person would write them, on the scale of the profile: their sum without signs is what it was before. 4, 3
 * and 2 become 4.21, 2.98 and 1.81, and weights that sum to 1 stay shares of 1. The model itself where nothing would be left.
 *
 * @param sum what the weights sum to without their signs; 0 to leave their scale alone
 */
export function roundWeights(model: Model, sum: number): Model {
  const sizes = model.map(({ weight }) => Math.abs(weight));
  const all = sizes.reduce((total, size) => total + size, 0);
  if (!(all > 0) || !Number.isFinite(all)) return model;
  const step = sum === 0 ? 0.01 : stepOf(sum, model.length);
  const steps = sizes.map((size) => (sum === 0 ? size : (size / all) * sum) / step);
  const rounded = sum === 0 ? steps.map(Math.round) : roundedShares(steps);
  if (rounded.every((one) => one === 0)) return model;
  const decimals = Math.max(0, Math.round(-Math.log10(step)));
  return model.map((part, k) => {
    const size = Number((rounded[k]! * step).toFixed(decimals));
    return { ...part, weight: (Math.sign(part.weight) || 1) * size };
  });
}

/** Whole numbers near some, with the same sum, rounded: those cut most are rounded up. */
function roundedShares(parts: readonly number[]): number[] {
  const whole = parts.map((part) => Math.floor(part + 1e-9));
  const left = Math.round(parts.reduce((sum, part) => sum + part, 0)) - whole.reduce((sum, part) => sum + part, 0);
  const order = parts.map((part, k) => ({ k, cut: part - whole[k]! })).toSorted((a, b) => b.cut - a.cut || a.k - b.k);
  for (const { k } of order.slice(0, left)) whole[k]! += 1;
  return whole;
}
