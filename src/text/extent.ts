/** How large the numbers of a column get, and whether all of them are whole: what it takes to write them alike. */
export interface Extent {
  readonly most: number;
  readonly whole: boolean;
}

/** That of no numbers at all. */
export const NO_EXTENT: Extent = Object.freeze({ most: 0, whole: true });

/** Of the numbers among some values; NaN is none. */
export function extentOf(values: Iterable<number>): Extent {
  let most = 0;
  let whole = true;
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    most = Math.max(most, Math.abs(value));
    whole &&= Number.isInteger(value);
  }
  return { most, whole };
}

/** Of two columns that are parts of one. */
export const joinedExtent = (a: Extent, b: Extent): Extent => ({
  most: Math.max(a.most, b.most),
  whole: a.whole && b.whole,
});
