/** How numbers are spread: counts in bins of equal width. */
export interface Bins {
  readonly counts: readonly number[];
  readonly least: number;
  readonly most: number;
}

/** How many bins a histogram has. */
const BINS = 30;

/** Counts of the numbers in bins of equal width, without NaN; undefined where there is no number. Linear. */
export function binsOf(values: Float64Array): Bins | undefined {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  if (least > most || !Number.isFinite(most - least)) return undefined;
  const counts = Array.from({ length: BINS }, () => 0);
  const width = (most - least) / BINS || 1;
  for (const value of values) {
    if (!Number.isNaN(value)) counts[Math.min(BINS - 1, Math.floor((value - least) / width))]! += 1;
  }
  return { counts, least, most };
}
