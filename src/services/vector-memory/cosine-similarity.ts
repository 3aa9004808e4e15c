/**
 * The cosine of the angle between two vectors, from -1 to 1; 0 where one of them is all zeros. By rounding it may
 * slightly exceed 1, and be slightly less than 1 for a vector and itself: see `COSINE_ROUNDING`.
 *
 * @throws RangeError where they have different lengths
 */
export function cosineSimilarity(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) throw new RangeError(`expected a vector of ${b.length} numbers, found ${a.length}`);
  let dot = 0;
  let squareA = 0;
  let squareB = 0;
  for (let i = 0; i < a.length; i++) {
    const x = a[i]!;
    const y = b[i]!;
    dot += x * y;
    squareA += x * x;
    squareB += y * y;
  }
  const lengths = Math.sqrt(squareA * squareB);
  return lengths === 0 ? 0 : dot / lengths;
}

/**
 * How far rounding may take the cosine of two equal vectors from 1: a threshold of 1 less this still finds repetitions.
 */
export const COSINE_ROUNDING = 1e-9;
