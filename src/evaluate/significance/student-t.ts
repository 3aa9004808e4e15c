import { incompleteBeta } from './beta.js';
import { twoSidedNormal } from './normal.js';

/** Above this, the t and the normal distribution agree to the digits that are printed. */
const MANY = 1e6;

/** The probability that a t variable is at least as far from 0 as `t`, on either side. Fractional degrees are allowed. */
export function twoSidedT(t: number, degrees: number): number {
  if (degrees >= MANY) return twoSidedNormal(t);
  return incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5);
}

/** The distance from 0 within which a t variable lies with a probability of `confidence`. By bisection. */
export function tQuantile(confidence: number, degrees: number): number {
  const outside = 1 - confidence;
  let [low, high] = [0, 2];
  while (twoSidedT(high, degrees) > outside && high < 1e12) high *= 2;
  for (let step = 0; step < 100 && high - low > 1e-12 * high; step++) {
    const middle = (low + high) / 2;
    if (twoSidedT(middle, degrees) > outside) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
