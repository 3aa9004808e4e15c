import { incompleteBeta } from './beta.js';

/**
 * The exact two-sided sign test: how likely a split as uneven as this one is when each is won by chance. 1 of none.
 *
 * The binomial tail is the regularized incomplete beta function: P(X ≤ k) = I½(n − k, k + 1).
 */
export function signTest(won: number, lost: number): number {
  const [count, fewer] = [won + lost, Math.min(won, lost)];
  if (won === lost) return 1;
  return Math.min(1, 2 * incompleteBeta(0.5, count - fewer, fewer + 1));
}
