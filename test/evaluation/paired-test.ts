import { random } from '../bench/random.js';

const FLIPS = 100_000;

/**
 * How likely a mean difference at least this large would be if both methods were as good as each other, on the same
 * questions: the share of random choices of signs that reach it (a permutation test, two-sided). The choice that was
 * observed counts as one of them, so that the result is never 0. Repeatable.
 */
export function signFlipTest(differences: readonly number[]): number {
  const next = random();
  const sizes = differences.filter((difference) => difference !== 0).map(Math.abs);
  const observed = Math.abs(differences.reduce((sum, difference) => sum + difference, 0));
  let reached = 1;
  for (let flip = 0; flip < FLIPS; flip++) {
    let total = 0;
    for (const size of sizes) total += next() < 0.5 ? size : -size;
    if (Math.abs(total) >= observed - 1e-9) reached += 1;
  }
  return reached / (FLIPS + 1);
}
