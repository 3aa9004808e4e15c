import type { Goal, Result } from '../result.js';
import { exponent, spread } from '../statistics.js';

const LINEAR: Goal = { atLeast: 0.95, atMost: 1.05 };

/**
 * How amounts grow with the size, in each round. A round has no exponent and is skipped if the noise of the machine is
 * larger than the growth of the smallest size.
 */
export function grown(
  work: string,
  subject: string,
  sizes: readonly number[],
  rounds: readonly (readonly number[])[],
): Result {
  const amount = spread(rounds.map((amounts) => exponent(sizes, amounts)).filter(Number.isFinite));
  return { work, subject, amount, unit: 'power of N', goal: LINEAR };
}

/** Lists of one size that together are all of `all`, so that each pass goes through the same memory. */
export const listsOf = <T>(all: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, k) => all.slice(k * size, (k + 1) * size));

/** Calls for one list after another. */
export async function passOver<T>(lists: readonly T[], call: (list: T) => unknown): Promise<unknown> {
  let last: unknown;
  // oxlint-disable-next-line no-await-in-loop -- one after another is what is measured
  for (const list of lists) last = await call(list);
  return last;
}

export const count = (size: number): string => size.toLocaleString('en');
