import { compileCandidatePath, isMap, withFieldNames } from '../../expression/index.js';
import type { Profile } from '../../profile/index.js';
import type { RankedQueries } from '../queries/ranked-queries.js';
import type { CurvePoint } from '../../evaluate/curves/curve.js';
import { curveX } from './curve.js';

/** What an entry that is a curve already reads: the curve is found anew over the same numbers, and not put around itself. */
export interface CurveInput {
  readonly points: readonly CurvePoint[];
  /** By row: the x; where the entry is absent, the x of what stands in for it; NaN where nothing does. */
  readonly column: Float64Array;
}

/** The input of an entry by its written form; undefined where it is no curve. */
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
  const field = typeof value === 'string' ? withFieldNames(fields, () => compileCandidatePath(value)) : undefined;
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

/** The points of an entry as it is written; undefined where it is no curve. */
export function writtenPoints(entry: unknown): readonly CurvePoint[] | undefined {
  if (!isMap(entry) || entry['class'] !== 'CurveScorer' || !isMap(entry['params'])) return undefined;
  const points: unknown = entry['params']['points'];
  if (!Array.isArray(points)) return undefined;
  return points.flatMap((point): CurvePoint[] => (Array.isArray(point) ? [[Number(point[0]), Number(point[1])]] : []));
}
