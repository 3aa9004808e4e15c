/** The distribution of repeats: half of them are between `low` and `high`, the quartiles. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** The value at a quantile, interpolated between neighbours. */
function quantile(ascending: readonly number[], share: number): number {
  const at = share * (ascending.length - 1);
  const below = ascending[Math.floor(at)] ?? Number.NaN;
  const above = ascending[Math.ceil(at)] ?? Number.NaN;
  return below + (above - below) * (at - Math.floor(at));
}

export function spread(values: readonly number[]): Spread {
  const ascending = values.toSorted((a, b) => a - b);
  return { median: quantile(ascending, 0.5), low: quantile(ascending, 0.25), high: quantile(ascending, 0.75) };
}

/** The slope of the logarithms, by least squares: 1 is linear, 2 is quadratic. */
export function exponent(sizes: readonly number[], amounts: readonly number[]): number {
  const [x, y] = [sizes.map(Math.log), amounts.map(Math.log)];
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [mx, my] = [mean(x), mean(y)];
  const together = x.reduce((sum, value, k) => sum + (value - mx) * ((y[k] ?? my) - my), 0);
  return together / x.reduce((sum, value) => sum + (value - mx) ** 2, 0);
}
