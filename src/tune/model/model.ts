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

/** So many weights still read as shares of 1; of more, the largest is 1, so that two decimals tell them apart. */
const MOST_SHARES = 12;

/**
 * Weights as a person would write them: two decimals. Relative ones sum to 1, or have 1 as the largest where there are
 * many; literal ones sum, without their signs, to what they did before. The model itself where nothing would be left.
 *
 * @param sum what the weights sum to without their signs; undefined for relative ones; 0 to leave their scale alone
 */
export function roundWeights(model: Model, sum: number | undefined): Model {
  const sizes = model.map(({ weight }) => Math.abs(weight));
  const all = sizes.reduce((total, size) => total + size, 0);
  if (!(all > 0) || !Number.isFinite(all)) return model;
  const many = model.length > MOST_SHARES;
  const factor = sum === 0 ? 1 : sum !== undefined ? sum / all : many ? 1 / Math.max(...sizes) : 1 / all;
  const hundredths = sizes.map((size) => size * factor * 100);
  const rounded = sum === undefined && !many ? roundedShares(hundredths) : hundredths.map(Math.round);
  if (rounded.every((one) => one === 0)) return model;
  return model.map((part, k) => ({ ...part, weight: ((Math.sign(part.weight) || 1) * rounded[k]!) / 100 }));
}

/** Whole numbers near some that sum to 100, with the same sum: those cut most are rounded up. */
function roundedShares(parts: readonly number[]): number[] {
  const whole = parts.map((part) => Math.floor(part + 1e-9));
  const left = Math.round(parts.reduce((sum, part) => sum + part, 0)) - whole.reduce((sum, part) => sum + part, 0);
  const order = parts.map((part, k) => ({ k, cut: part - whole[k]! })).toSorted((a, b) => b.cut - a.cut || a.k - b.k);
  for (const { k } of order.slice(0, left)) whole[k]! += 1;
  return whole;
}
