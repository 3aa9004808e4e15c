/** Returns numbers from 0 (inclusive) to 1 (exclusive). The same seed gives the same numbers on every machine. */
export type Random = () => number;

/** The generator sfc32 (Doty-Humphrey, PractRand), seeded by one number. */
export function seededRandom(seed: number): Random {
  let [a, b, c, count] = [0x9e3779b9, 0x243f6a88, seed | 0, 1];
  const next = (): number => {
    const sum = (((a + b) | 0) + count) | 0;
    count = (count + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let k = 0; k < 15; k++) next(); // the first numbers are still correlated with the seed
  return next;
}

/** A standard normal variable from two uniform ones (Box and Muller 1958). */
export const randomNormal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** The arithmetic mean; NaN if there are no values. */
export function meanOf(values: ArrayLike<number>): number {
  let sum = 0;
  for (let k = 0; k < values.length; k++) sum += values[k]!;
  return sum / values.length;
}

/**
 * The complement of the error function, for x ≥ 0: a continued fraction for large x, a series for small x
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

/** The two-sided tail probability of a standard normal variable. */
export const twoSidedNormal = (z: number): number => (z === 0 ? 1 : erfc(Math.abs(z) / Math.SQRT2));

/** Above this, the t and the normal distribution agree in all printed digits. */
const MANY = 1e6;

/** The two-sided tail probability of Student's t. Degrees of freedom may be fractional. */
export function twoSidedT(t: number, degrees: number): number {
  if (degrees >= MANY) return twoSidedNormal(t);
  return incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5);
}

/** The t for which |T| ≤ t with probability `confidence`, by bisection. */
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

/** ln Γ(x) for x > 0, by Lanczos' approximation (g = 7, nine terms): about 15 digits. */
function logGamma(x: number): number {
  const shifted = x - 1;
  let sum = 0.999_999_999_999_809_93;
  for (const [k, coefficient] of LANCZOS.entries()) sum += coefficient / (shifted + k + 1);
  const t = shifted + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(t) - t + Math.log(sum);
}

const LANCZOS = [
  676.520_368_121_885_1, -1259.139_216_722_402_8, 771.323_428_777_653_13, -176.615_029_162_140_59,
  12.507_343_278_686_905, -0.138_571_095_265_720_12, 9.984_369_578_019_571_6e-6, 1.505_632_735_149_311_6e-7,
];

const TINY = 1e-300;
const MOST_STEPS = 500;

/** The continued fraction of the incomplete beta function, by Lentz's method (Numerical Recipes 6.4). */
function betaFraction(x: number, a: number, b: number): number {
  const orTiny = (value: number): number => (Math.abs(value) < TINY ? TINY : value);
  let c = 1;
  let d = 1 / orTiny(1 - ((a + b) * x) / (a + 1));
  let result = d;
  for (let m = 1; m <= MOST_STEPS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / orTiny(1 + even * d);
    c = orTiny(1 + even / c);
    result *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / orTiny(1 + odd * d);
    c = orTiny(1 + odd / c);
    const step = d * c;
    result *= step;
    if (Math.abs(step - 1) < 1e-16) break;
  }
  return result;
}

/** The regularized incomplete beta function I_x(a, b), for x from 0 to 1 and positive a and b. */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  return x < (a + 1) / (a + b + 2) ? (front * betaFraction(x, a, b)) / a : 1 - (front * betaFraction(1 - x, b, a)) / b;
}
