/**
 * The measure of a query by its rows, best first: those of an order from one place up to another. Rows of equal totals are
 * tied, and count with the mean over their orders: a search must not profit from the order of the file.
 */
export type RowsMeasure = (order: Int32Array, from: number, to: number, q: number, totals: Float64Array) => number;

/**
 * nDCG with what does not change worked out once: gains, discounts, and the best order of each query. A search asks for
 * it thousands of times. The same value as the measure of that name.
 *
 * @param grades     by row; NaN where it was not judged
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
  return (order, from, to, q, totals) => {
    if (!(ideals[q]! > 0)) return 0;
    let sum = 0;
    const last = Math.min(to - from, discounts.length);
    for (let k = 0; k < last; ) {
      const total = totals[order[from + k]!]!;
      let own = gains[order[from + k]!]!;
      let end = k + 1;
      for (; from + end < to && totals[order[from + end]!] === total; end++) own += gains[order[from + end]!]!;
      const mean = own / (end - k);
      if (own > 0) for (const stop = Math.min(end, last); k < stop; k++) sum += mean / discounts[k]!;
      k = end;
    }
    return sum / ideals[q]!;
  };
}
