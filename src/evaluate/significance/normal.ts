/**
 * The complement of the error function, for x ≥ 0: its continued fraction where x is large, its series where it is small
 * (Abramowitz and Stegun 7.1.6, 7.1.14). About 15 digits.
 */
function erfc(x: number): number {
  if (x < 2) {
    let term = x;
    let sum = x;
    for (let n = 1; Math.abs(term) > 1e-17 * sum; n++) {
      term *= (2 * x * x) / (2 * n + 1);
      sum += term;
    }
    return 1 - (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
  }
  let fraction = x;
  for (let n = 60; n >= 1; n--) fraction = x + n / 2 / fraction;
  return Math.exp(-x * x) / (Math.sqrt(Math.PI) * fraction);
}

/** How likely a standard normal variable is at least as far from 0 as z, on either side. */
export const twoSidedNormal = (z: number): number => (z === 0 ? 1 : erfc(Math.abs(z) / Math.SQRT2));
