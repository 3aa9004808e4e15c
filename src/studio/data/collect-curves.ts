import { compilePath } from '../../expression/index.js';
import type { Ranking } from '../../index.js';
import type { CurveData, CurvePoints } from './curve-data.js';
import { isMap, type ProfileDocument } from './profile-document.js';

/** The entries of a profile that are curves, with the numbers that each is read at. */
export function collectCurves(
  profile: ProfileDocument,
  ranking: Ranking<object>,
  candidates: readonly object[],
): Readonly<Record<string, CurveData>> {
  const entries = ['measures', 'tier2_scorers'].flatMap((list) => asList(profile[list]));
  const curves = entries.flatMap((entry): (readonly [string, CurveData])[] => {
    const { id, class: name, params, enabled } = entry;
    if (typeof id !== 'string' || !/(?:^|\/)CurveScorer$/.test(String(name)) || enabled === false) return [];
    const { points, value } = isMap(params) ? params : {};
    if (!arePoints(points)) return [];
    return [[id, { points, xs: xsOf(id, value, ranking, candidates) }]];
  });
  return Object.fromEntries(curves);
}

/** Where a curve is read: at a field of each candidate, or at what the scorer inside it gave. */
function xsOf(
  id: string,
  value: unknown,
  { matrix }: Ranking<object>,
  candidates: readonly object[],
): readonly (number | null)[] {
  const xs = Array.from<number | null>({ length: candidates.length }).fill(null);
  const field = typeof value === 'string' ? compilePath(value) : undefined;
  const inner = matrix.children.find((path) => path.startsWith(`${id}/`));
  const scores = inner === undefined ? undefined : matrix.column(inner).values;
  for (const [row, index] of matrix.index.entries()) {
    const x = field ? field(candidates[index]) : scores?.[row];
    if (typeof x === 'number' && Number.isFinite(x)) xs[index] = x;
  }
  return xs;
}

const arePoints = (points: unknown): points is CurvePoints =>
  Array.isArray(points) &&
  points.length >= 2 &&
  points.every((point) => Array.isArray(point) && point.length === 2 && point.every(Number.isFinite));

const asList = (list: unknown): readonly ProfileDocument[] => (Array.isArray(list) ? list.filter(isMap) : []);
