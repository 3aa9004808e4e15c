/** nDCG of one query, by its rows best first, of which only the first `count` are read. */
export type RowsMeasure = (order: Int32Array, count: number, q: number) => number;

/**
 * nDCG with what does not change worked out once: gains, discounts, and the best order of each query. A search asks for
 * it thousands of times. The same value as the measure of that name.
 *
 * @param grades     by row; NaN where nobody judged it
 * @param judgements by query: the grades of everything judged
 * @returns undefined where the measure is another one
 */
export function fastNdcg(
  name: string,
  grades: Float64Array,
  judgements: readonly (readonly number[])[],
): RowsMeasure | undefined {
  const [, exponential, cutText] = /^nDCG(exp)?(?:@(\d+))?$/.exec(name) ?? [];
  if (!name.startsWith('nDCG')) return undefined;
  const cut = cutText === undefined ? Number.POSITIVE_INFINITY : Number(cutText);
  const gain = (grade: number): number => (!(grade > 0) ? 0 : exponential === undefined ? grade : 2 ** grade - 1);
  const gains = grades.map(gain);
  const longest = Math.max(0, ...judgements.map(({ length }) => length), grades.length > 0 ? 1 : 0);
  const discounts = Float64Array.from({ length: Math.min(cut, Math.max(longest, grades.length)) }, (_, k) =>
    Math.log2(k + 2),
  );
  const ideals = Float64Array.from(judgements, (own) =>
    own
      .toSorted((a, b) => b - a)
      .slice(0, discounts.length)
      .reduce((sum, grade, k) => sum + gain(grade) / discounts[k]!, 0),
  );
  return (order, count, q) => {
    if (!(ideals[q]! > 0)) return 0;
    let sum = 0;
    const last = Math.min(count, discounts.length);
    for (let k = 0; k < last; k++) {
      const own = gains[order[k]!]!;
      if (own > 0) sum += own / discounts[k]!;
    }
    return sum / ideals[q]!;
  };
}

/** Rows of one list, best first, equal ones in their order: sorted in place. */
export function sortRows(rows: Int32Array, count: number, totals: Float64Array): void {
  if (count > LONG) {
    rows.subarray(0, count).sort((a, b) => totals[b]! - totals[a]! || a - b);
    return;
  }
  for (let k = 1; k < count; k++) {
    const row = rows[k]!;
    const total = totals[row]!;
    let at = k;
    while (at > 0 && totals[rows[at - 1]!]! < total) {
      rows[at] = rows[at - 1]!;
      at -= 1;
    }
    rows[at] = row;
  }
}

/** Longer lists are sorted by the engine: insertion takes the square of the time. */
const LONG = 40;
