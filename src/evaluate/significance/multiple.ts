/** Adjusts p-values step by step, from one end of their order. Equal to or above what they were. */
function adjust(p: readonly number[], stepUp: boolean, factor: (rank: number, count: number) => number): number[] {
  const order = Array.from(p.keys()).sort((a, b) => (stepUp ? p[b]! - p[a]! : p[a]! - p[b]!));
  const adjusted = [...p];
  let bound = stepUp ? 1 : 0;
  for (const [k, at] of order.entries()) {
    const rank = stepUp ? p.length - k : k + 1;
    const own = Math.min(1, p[at]! * factor(rank, p.length));
    bound = stepUp ? Math.min(bound, own) : Math.max(bound, own);
    adjusted[at] = bound;
  }
  return adjusted;
}

/** Holm's p-values: the chance that any of them is wrong stays below what is chosen (1979). */
export const holm = (p: readonly number[]): readonly number[] => adjust(p, false, (rank, count) => count - rank + 1);

/** Benjamini and Hochberg's p-values: the expected share of wrong ones stays below what is chosen (1995). */
export const benjaminiHochberg = (p: readonly number[]): readonly number[] =>
  adjust(p, true, (rank, count) => count / rank);
