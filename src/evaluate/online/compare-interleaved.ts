import { signTest } from '../significance/sign-test.js';
import type { Credit } from './team-draft.js';

/** Which of two rankings people preferred. */
export interface InterleavedComparison {
  /** How many lists each of them won, by more clicks; and how many neither did. */
  readonly a: number;
  readonly b: number;
  readonly ties: number;
  /** The share of the lists that b won, of those that one of the two won; NaN where none was. */
  readonly share: number;
  /** Two-sided, of the sign test. */
  readonly p: number;
  readonly verdict: 'a is preferred' | 'b is preferred' | 'no difference shown';
}

const LEVEL = 0.05;

/**
 * Whether people preferred one of two rankings, by the credits of interleaved lists: the sign test over the lists that
 * one of the two won. Lists of one person are alike: give one credit a person, the sum of all of hers.
 */
export function compareInterleaved(credits: Iterable<Credit>): InterleavedComparison {
  const won = { a: 0, b: 0, ties: 0 };
  for (const { a, b } of credits) won[a > b ? 'a' : b > a ? 'b' : 'ties'] += 1;
  const p = signTest(won.a, won.b);
  const verdict = p >= LEVEL ? 'no difference shown' : won.a > won.b ? 'a is preferred' : 'b is preferred';
  return { ...won, share: won.b / (won.a + won.b), p, verdict };
}
