/** What formats the numbers of a column alike: their largest magnitude, and whether all are integers. */
export interface Extent {
  readonly maxMagnitude: number;
  readonly integersOnly: boolean;
}

/** The extent of no numbers. */
export const NO_EXTENT: Extent = Object.freeze({ maxMagnitude: 0, integersOnly: true });

/** The extent of some numbers, without NaN. */
export function extentOf(values: Iterable<number>): Extent {
  let maxMagnitude = 0;
  let integersOnly = true;
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    maxMagnitude = Math.max(maxMagnitude, Math.abs(value));
    integersOnly &&= Number.isInteger(value);
  }
  return { maxMagnitude, integersOnly };
}

/** The extent of the numbers of two parts of a column. */
export const unionExtent = (a: Extent, b: Extent): Extent => ({
  maxMagnitude: Math.max(a.maxMagnitude, b.maxMagnitude),
  integersOnly: a.integersOnly && b.integersOnly,
});
