/** Eight columns, by row. */
export type Columns = readonly Float64Array[];

/** The best rows with their totals, best first. */
export interface Best {
  readonly rows: readonly number[];
  readonly totals: Float64Array;
}

/** The weighted mean of eight columns in one loop, then the best by insertion: hand-written for this task alone. */
export function weigh(columns: Columns, weights: readonly number[], top: number): Best {
  const [a, b, c, d, e, f, g, h] = columns as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  let sum = 0;
  for (const weight of weights) sum += weight;
  const [A, B, C, D, E, F, G, H] = weights.map((weight) => weight / sum) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const totals = new Float64Array(a.length);
  for (let j = 0; j < totals.length; j++) {
    totals[j] = A * a[j]! + B * b[j]! + C * c[j]! + D * d[j]! + E * e[j]! + F * f[j]! + G * g[j]! + H * h[j]!;
  }
  return { rows: bestOf(totals, top), totals };
}

function bestOf(totals: Float64Array, top: number): readonly number[] {
  const best: number[] = [];
  let floor = -Infinity;
  for (let row = 0; row < totals.length; row++) {
    const total = totals[row]!;
    if (total <= floor) continue;
    let at = best.length;
    while (at > 0 && totals[best[at - 1]!]! < total) at--;
    best.splice(at, 0, row);
    if (best.length > top) best.pop();
    if (best.length === top) floor = totals[best[top - 1]!]!;
  }
  return best;
}
