import type { CurvePoint } from '../curves.js';
import { compilePath, type Profile } from 'assize/internal';
import { isMap } from '../values.js';
import type { RankedQueries } from './ranked-queries.js';

/** The input of an entry that is already a curve. Its points are fitted again over the same input, without nesting. */
export interface CurveInput {
  readonly points: readonly CurvePoint[];
  /** The x of each row; if the score is absent, the x of `on_absent`, or NaN. */
  readonly column: Float64Array;
}

/** The input of a written entry; undefined if it is not a curve. */
export function curveInput(
  entry: unknown,
  ranked: RankedQueries<unknown>,
  { fields }: Pick<Profile, 'fields'>,
): CurveInput | undefined {
  const points = writtenPoints(entry);
  if (!points || !isMap(entry) || !isMap(entry['params'])) return undefined;
  const { value } = entry['params'];
  const { on_absent: absent, id } = entry;
  const standIn = typeof absent === 'number' ? curveX(points, absent) : Number.NaN;
  const column = new Float64Array(ranked.grades.length);
  const field = typeof value === 'string' ? compilePath(value, fields) : undefined;
  for (const [q, { matrix }] of ranked.rankings.entries()) {
    const child = field ? undefined : matrix.children.find((path) => path.startsWith(`${String(id)}/`));
    const inner = child === undefined ? undefined : matrix.column(child).values;
    for (const [k, index] of matrix.index.entries()) {
      const read = field ? field(ranked.queries[q]!.candidates[index]) : inner?.[k];
      column[ranked.starts[q]! + k] = typeof read === 'number' && Number.isFinite(read) ? read : standIn;
    }
  }
  return { points, column };
}

/** The points of a written entry; undefined if it is not a curve. */
export function writtenPoints(entry: unknown): readonly CurvePoint[] | undefined {
  if (!isMap(entry) || entry['class'] !== 'CurveScorer' || !isMap(entry['params'])) return undefined;
  const points: unknown = entry['params']['points'];
  if (!Array.isArray(points)) return undefined;
  return points.flatMap((point): CurvePoint[] => (Array.isArray(point) ? [[Number(point[0]), Number(point[1])]] : []));
}

/** The first x at which a curve has a y; the nearest end if it never reaches y. */
export function curveX(points: readonly CurvePoint[], y: number): number {
  for (const [k, [x1, y1]] of points.entries()) {
    const [x0, y0] = points[Math.max(0, k - 1)]!;
    if ((y0 - y) * (y1 - y) <= 0) return y0 === y1 ? x0 : x0 + ((y - y0) / (y1 - y0)) * (x1 - x0);
  }
  const [first, last] = [points[0]!, points.at(-1)!];
  return Math.abs(first[1] - y) <= Math.abs(last[1] - y) ? first[0] : last[0];
}

/** The x of a curve's points: at most `most` rounded quantiles of some numbers. */
export function knotsOf(values: readonly number[], most: number): readonly number[] {
  const ascending = values.filter((value) => Number.isFinite(value)).toSorted((a, b) => a - b);
  const common = new Set(quantiles(ascending, most));
  // If quantiles coincide because of a frequent number, use quantiles of the distinct numbers.
  const knots = common.size === most ? [...common] : quantiles([...new Set(ascending)], most);
  return withoutRepeated(readable([...new Set(knots)]));
}

/** The share of the data beyond each end of a curve, so that outliers do not determine its points. */
const TAIL = 0.02;

/** Evenly spaced quantiles between the tails. */
function quantiles(ascending: readonly number[], most: number): readonly number[] {
  const last = ascending.length - 1;
  const count = Math.min(most, ascending.length);
  return Array.from(
    { length: count },
    (_, k) => ascending[Math.round((TAIL + (1 - 2 * TAIL) * (k / Math.max(1, count - 1))) * last)]!,
  );
}

/** Rounds each number to a tenth of the distance to its nearest neighbour. */
function readable(knots: readonly number[]): readonly number[] {
  return knots.map((x, k) => {
    const gap = Math.min(
      x - (knots[k - 1] ?? Number.NEGATIVE_INFINITY),
      (knots[k + 1] ?? Number.POSITIVE_INFINITY) - x,
    );
    if (!Number.isFinite(gap)) return x;
    const decimals = Math.min(12, Math.max(0, 1 - Math.floor(Math.log10(gap))));
    return Number(x.toFixed(decimals)) + 0; // avoids −0
  });
}

const withoutRepeated = (knots: readonly number[]): readonly number[] =>
  knots.filter((x, k) => k === 0 || x > knots[k - 1]!);
