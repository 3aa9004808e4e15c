import { type Examples, type Loss, LOSSES, type LossName } from './loss.js';
import { minimize } from './minimize.js';

/** A convex problem: examples, a loss, and where the coefficients may be and are pulled to. */
export interface ConvexProblem {
  readonly examples: Examples;
  readonly loss: LossName;
  /** By feature: the least that its coefficient may be. */
  readonly floors: Float64Array;
  /** By feature: what its coefficient is pulled to. */
  readonly centre: Float64Array;
  /** By feature: how strongly; 0 where it is not. */
  readonly pull: Float64Array;
}

/** The coefficients of least loss plus Σ pull × (coefficient − centre)². */
export function fitConvex(problem: ConvexProblem, start: Float64Array, spent?: () => boolean): Float64Array {
  const { centre, pull, floors, examples } = problem;
  const lossOf = linearLoss(examples, LOSSES[problem.loss]);
  const penalized = (point: Float64Array, slopes?: Float64Array): number => {
    let value = lossOf(point, slopes);
    for (let k = 0; k < point.length; k++) {
      const off = point[k]! - centre[k]!;
      value += pull[k]! * off * off;
      if (slopes) slopes[k]! += 2 * pull[k]! * off;
    }
    return value;
  };
  return minimize(penalized, start, floors, spent);
}

/** A loss as a function of coefficients: scores forwards, slopes backwards. O(rows × features). */
function linearLoss(examples: Examples, loss: Loss) {
  const { rows, width, features } = examples;
  const scores = new Float64Array(rows);
  const slopes = new Float64Array(rows);
  return (point: Float64Array, into?: Float64Array): number => {
    for (let row = 0, at = 0; row < rows; row++) {
      let score = 0;
      for (let k = 0; k < width; k++, at++) score += point[k]! * features[at]!;
      scores[row] = score;
    }
    const value = loss(scores, examples, slopes);
    if (!into) return value;
    into.fill(0);
    for (let row = 0, at = 0; row < rows; row++) {
      const slope = slopes[row]!;
      for (let k = 0; k < width; k++, at++) into[k]! += slope * features[at]!;
    }
    return value;
  };
}

/** By feature: the mean and the standard deviation over the examples; 1 where it does not vary. */
export function spreadOf({ rows, width, features }: Examples): {
  readonly means: Float64Array;
  readonly sds: Float64Array;
} {
  const means = new Float64Array(width);
  const sds = new Float64Array(width);
  for (let at = 0; at < features.length; at++) means[at % width]! += features[at]! / rows;
  for (let at = 0; at < features.length; at++) sds[at % width]! += (features[at]! - means[at % width]!) ** 2 / rows;
  return { means, sds: sds.map((variance) => Math.sqrt(variance) || 1) };
}
