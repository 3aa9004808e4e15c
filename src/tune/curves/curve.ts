/** A point of a curve: x, and the y there. */
export type CurvePoint = readonly [x: number, y: number];

/** The y of a curve at an x: linear between two points, level beyond them. As CurveScorer reads it. */
export function curveAt(points: readonly CurvePoint[], x: number): number {
  const [first, last] = [points[0]!, points.at(-1)!];
  if (x <= first[0]) return first[1];
  if (x >= last[0]) return last[1];
  let k = 1;
  while (points[k]![0] < x) k += 1;
  const [[x0, y0], [x1, y1]] = [points[k - 1]!, points[k]!];
  return x === x1 ? y1 : y0 + ((x - x0) / (x1 - x0)) * (y1 - y0);
}

/** At most so many distinct x for a curve, at quantiles of some numbers, rounded to what a person would write. */
export function knotsOf(values: readonly number[], most: number): readonly number[] {
  const ascending = values.filter((value) => Number.isFinite(value)).toSorted((a, b) => a - b);
  if (ascending.length === 0) return [];
  const last = ascending.length - 1;
  const at = (share: number): number => ascending[Math.round(share * last)]!;
  const wanted = Array.from({ length: most }, (_, k) => at(k / (most - 1)));
  const distinct = [...new Set(wanted)];
  return [...new Set(distinct.length === most ? distinct : spread(ascending, most))].map(readable(ascending)).filter(isNew);
}

/** Quantiles of the distinct numbers, where some are so common that several quantiles fall on them. */
function spread(ascending: readonly number[], most: number): readonly number[] {
  const distinct = [...new Set(ascending)];
  const last = distinct.length - 1;
  return Array.from({ length: Math.min(most, distinct.length) }, (_, k, ) =>
    distinct[Math.round((k / Math.max(1, Math.min(most, distinct.length) - 1)) * last)]!,
  );
}

/** Rounds to three digits of the whole extent: finer than that, the place of a point says nothing. */
function readable(ascending: readonly number[]): (x: number) => number {
  const extent = ascending.at(-1)! - ascending[0]!;
  if (!(extent > 0)) return (x) => x;
  const decimals = Math.min(12, Math.max(0, 2 - Math.floor(Math.log10(extent))));
  return (x) => Number(x.toFixed(decimals));
}

const isNew = (x: number, k: number, all: readonly number[]): boolean => k === 0 || x > all[k - 1]!;
