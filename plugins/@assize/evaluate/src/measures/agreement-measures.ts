/** How the distance of two grades counts as disagreement, by Cohen's weights. */
export type KappaWeights = 'none' | 'linear' | 'quadratic';

/** The scale of grades, by which Krippendorff's alpha measures their distance. */
export type AlphaScale = 'nominal' | 'ordinal' | 'interval';

const KAPPA_DISTANCE: Readonly<Record<KappaWeights, (a: number, b: number) => number>> = {
  none: (a, b) => (a === b ? 0 : 1),
  linear: (a, b) => Math.abs(a - b),
  quadratic: (a, b) => (a - b) ** 2,
};

/** The sums of the rows of a square table. */
const rowSums = (table: Float64Array, size: number): Float64Array =>
  Float64Array.from({ length: size }, (_, row) =>
    table.subarray(row * size, (row + 1) * size).reduce((sum, one) => sum + one, 0),
  );

/**
 * Cohen's kappa of two raters (Cohen 1960; weighted: Cohen 1968).
 *
 * @param table counts by the grade of the first rater (row) and of the second (column)
 * @param grades the grade of each row and column
 * @returns NaN if the expected disagreement is 0: both raters gave one and the same grade
 */
export function cohenKappa(table: Float64Array, grades: readonly number[], weights: KappaWeights): number {
  const size = grades.length;
  const distance = KAPPA_DISTANCE[weights];
  const rows = rowSums(table, size);
  const columns = new Float64Array(size);
  for (const [cell, count] of table.entries()) columns[cell % size]! += count;
  const total = rows.reduce((sum, one) => sum + one, 0);
  let [observed, expected] = [0, 0];
  for (const [i, a] of grades.entries()) {
    for (const [j, b] of grades.entries()) {
      const apart = distance(a, b);
      observed += apart * table[i * size + j]!;
      expected += (apart * rows[i]! * columns[j]!) / total;
    }
  }
  return expected > 0 ? 1 - observed / expected : Number.NaN;
}

/**
 * Krippendorff's alpha (Krippendorff 2011, "Computing Krippendorff's alpha-reliability").
 *
 * @param table coincidences: each unit with m values adds 1 / (m − 1) for each ordered pair of its values
 * @param grades the grade of each row and column, ascending
 * @returns NaN if all values are equal
 */
export function krippendorffAlpha(table: Float64Array, grades: readonly number[], scale: AlphaScale): number {
  const size = grades.length;
  const counts = rowSums(table, size);
  const total = counts.reduce((sum, one) => sum + one, 0);
  const ranks = midRanks(counts);
  const positions = scale === 'ordinal' ? ranks : grades;
  let [observed, expected] = [0, 0];
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) {
      if (i === j) continue;
      const apart = scale === 'nominal' ? 1 : (positions[i]! - positions[j]!) ** 2;
      observed += apart * table[i * size + j]!;
      expected += apart * counts[i]! * counts[j]!;
    }
  }
  return expected > 0 ? 1 - ((total - 1) * observed) / expected : Number.NaN;
}

/** The mean rank of each grade: the difference of two is the ordinal distance of alpha. */
function midRanks(counts: Float64Array): Float64Array {
  let below = 0;
  return counts.map((count) => {
    const rank = below + count / 2;
    below += count;
    return rank;
  });
}
