/** Formats a number with four significant digits: an integer from 1,000 on, a power of ten from 1e9 on and below 1e-4. */
export function formatNumber(value: number): string {
  const size = Math.abs(value);
  if (size === 0) return '0'; // also for −0
  if (size >= 1e9 || size < 1e-4) return value.toExponential(2).replace(/\.?0*e\+?/, 'e');
  return size >= 1000 ? String(Math.round(value)) : String(Number(value.toPrecision(4)));
}

/** Formats a whole number with separators: `1,832`. The first call of `toLocaleString` would take 15 ms. */
export const count = (n: number): string => String(n).replace(/\B(?=(?:\d{3})+$)/g, ',');

/** A sum that is rounded once, at its end, so that it does not depend on the order of the numbers (Shewchuk 1997). */
export class ExactSum {
  /** Numbers that do not overlap, smallest first. Their exact sum is the result. The rest of the list is unused. */
  readonly #parts: number[] = [0];
  #count = 1;

  add(value: number): void {
    const parts = this.#parts;
    let rest = value;
    let kept = 0;
    for (let k = 0; k < this.#count; k++) {
      const part = parts[k]!;
      const sum = rest + part;
      const added = sum - rest;
      const lost = rest - (sum - added) + (part - added);
      if (lost !== 0) parts[kept++] = lost;
      rest = sum;
    }
    parts[kept] = rest;
    this.#count = kept + 1;
  }

  get value(): number {
    const parts = this.#parts;
    let k = this.#count - 1;
    let sum = parts[k]!;
    let lost = 0;
    while (k > 0 && lost === 0) {
      const [large, small] = [sum, parts[--k]!];
      sum = large + small;
      lost = small - (sum - large);
    }
    // Half of a unit in the last place: the next part decides.
    const next = k > 0 ? parts[k - 1]! : 0;
    const twice = lost * 2;
    const isHalf = twice === sum + twice - sum;
    return isHalf && ((lost < 0 && next < 0) || (lost > 0 && next > 0)) ? sum + twice : sum;
  }
}

/** Formats a count with its noun: `1 query`, `1,832 candidates`. */
export const counted = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`;

/** Formats a rank: `1st`, `2nd`, `3rd`, `11th`. */
export function formatOrdinal(n: number): string {
  const teens = n % 100 >= 11 && n % 100 <= 13;
  return `${count(n)}${teens ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')}`;
}

/** Formats a number with its sign, or a dash if it is undefined. */
export const formatSigned = (value: number | undefined): string =>
  value === undefined ? '–' : value > 0 ? `+${formatNumber(value)}` : value < 0 ? `−${formatNumber(-value)}` : '0';

/**
 * Formats a bound like `formatNumber`, but rounds it in one direction, so that the printed number lies on the same side.
 *
 * @param direction above 0 to round up, below 0 to round down
 */
export function formatBeyond(value: number, direction: number): string {
  const text = formatNumber(value);
  const back = (Number(text) - value) * direction;
  if (!(back < 0)) return text;
  const unit = 10 ** (Math.floor(Math.log10(Math.abs(value))) - (text.includes('e') ? 2 : 3));
  const whole = Math.abs(value) >= 1000 && !text.includes('e');
  return formatNumber(Number(text) + Math.sign(direction) * (whole ? 1 : unit));
}

/** The largest magnitude of a column's numbers, and whether all are integers. It sets their common number of decimals. */
export interface Extent {
  readonly maxMagnitude: number;
  readonly integersOnly: boolean;
}

/** The extent of an empty column. */
export const NO_EXTENT: Extent = Object.freeze({ maxMagnitude: 0, integersOnly: true });

/** The extent of some numbers. Ignores NaN. */
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

const LEVELS = '▁▂▃▄▅▆▇█';
const WIDTH = 16;

/** One bar per number: the lowest for `low`, the highest for `high`. If both are equal, all bars have half the height. */
function bars(values: readonly number[], low: number, high: number): string {
  const level = (value: number): number =>
    high === low ? 3 : Math.round(((value - low) / (high - low)) * (LEVELS.length - 1));
  return values.map((value) => LEVELS.charAt(level(value))).join('');
}

/** A point of a plot. */
export type PlotPoint = readonly [x: number, y: number];

/**
 * Plots a curve in one line and marks one x: `0 ▁▁▂▂▃[▄]▅▆▇█ 40`. The numbers are the x of the first and last points. An x
 * outside of them is marked at the nearer end.
 *
 * @param points at least two, in ascending order of x. Straight lines connect them
 */
export function sparkline(points: readonly PlotPoint[], x: number): string {
  const [first, last] = [points[0]![0], points.at(-1)![0]];
  const ys = points.map(([, y]) => y);
  const [low, high] = [Math.min(...ys), Math.max(...ys)];
  const share = Math.min(1, Math.max(0, (x - first) / (last - first)));
  const marked = Math.min(WIDTH - 1, Math.floor(share * WIDTH));
  const middles = Array.from({ length: WIDTH }, (_, k) =>
    heightAt(points, first + ((k + 0.5) / WIDTH) * (last - first)),
  );
  const cells = Array.from(bars(middles, low, high), (bar, k) => (k === marked ? `[${bar}]` : bar));
  return `${formatNumber(first)} ${cells.join('')} ${formatNumber(last)}`;
}

/** The y at an x within a curve. */
function heightAt(points: readonly PlotPoint[], x: number): number {
  const k = Math.max(
    1,
    points.findIndex(([at]) => at >= x),
  );
  const [[x0, y0], [x1, y1]] = [points[k - 1]!, points[k]!];
  return y0 + ((x - x0) / (x1 - x0)) * (y1 - y0);
}
