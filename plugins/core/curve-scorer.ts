import {
  abstain,
  child,
  defineScorer,
  type Live,
  lowerBound,
  type ParamsOf,
  path,
  readFinite,
  type RowScorer,
  type Score,
  z,
} from '../../src/unit-sdk.js';

/** A point of a curve: x, and the y there. */
type CurvePoint = readonly [x: number, y: number];

/** The problem of two consecutive points; undefined if they are valid. */
function stepProblem([x, y]: CurvePoint, [nextX, nextY]: CurvePoint): string | undefined {
  if (nextX <= x) return `expected an x above ${x}, that of the point before`;
  // Interpolation overflows if the difference of two points exceeds the range of a double.
  return Number.isFinite(nextX - x) && Number.isFinite(nextY - y)
    ? undefined
    : 'expected a point less far from the one before';
}

/** A param that is a curve: at least two points with rising x. */
const curvePoints = () =>
  z
    .array(z.tuple([z.number(), z.number()]))
    .min(2)
    .superRefine((points, ctx) => {
      for (const [k, point] of points.entries()) {
        const before = points[k - 1];
        const message = before && stepProblem(before, point);
        if (message !== undefined) ctx.addIssue({ code: 'custom', path: [k, 0], message });
      }
    });

/** The least and the greatest y of a curve, which bound all its values. */
export function curveRange(points: readonly CurvePoint[]): readonly [number, number] {
  const ys = points.map(([, y]) => y);
  return [Math.min(...ys), Math.max(...ys)];
}

/** A compiled curve. */
interface Curve {
  /** The y at an x: linear between two points, constant before the first and after the last. */
  readonly at: (x: number) => number;
  /** The index of the first point at or above an x; the number of points if there is none. */
  readonly segment: (x: number) => number;
}

function compileCurve(points: readonly CurvePoint[]): Curve {
  const xs = Float64Array.from(points, ([x]) => x);
  const ys = Float64Array.from(points, ([, y]) => y);
  const last = xs.length - 1;
  const segment = (x: number): number => lowerBound(xs, x);
  const at = (x: number): number => {
    if (x <= xs[0]!) return ys[0]!;
    if (x >= xs[last]!) return ys[last]!;
    const k = segment(x);
    const from = ys[k - 1]!;
    const to = ys[k]!;
    if (x === xs[k]) return to; // the interpolation below may round to a neighbouring number
    const y = from + ((x - xs[k - 1]!) / (xs[k]! - xs[k - 1]!)) * (to - from);
    // Rounding must not exceed a point, since the range is declared.
    return from < to ? Math.min(y, to) : Math.max(y, to);
  };
  return { at, segment };
}

/** The curve as an expression, with the same order of operations: the first segment whose end is not below x. */
function curveFormula(points: readonly CurvePoint[], x: string, number: (value: number) => string): string {
  const [[firstX, firstY]] = points as readonly [CurvePoint];
  const lines = points.slice(1).map(([toX, to], k): string => {
    const [fromX, from] = points[k]!;
    const share = `(${x} - ${number(fromX)}) / ${number(toX - fromX)}`;
    const y = `${number(from)} + ${share} * ${number(to - from)}`;
    return `${x} == ${number(toX)} ? ${number(to)} : ${x} < ${number(toX)} ? ${from < to ? 'min' : 'max'}(${y}, ${number(to)}) : `;
  });
  return `${x} <= ${number(firstX)} ? ${number(firstY)} : ${lines.join('')}${x} >= ${number(points.at(-1)![0])} ? ${number(points.at(-1)![1])} : 0 / 0`;
}

type Params = ParamsOf<typeof CurveScorer>;

/**
 * Evaluates a curve at the value of a field or of another scorer: linear between its points, constant before the first
 * and after the last. A falling curve replaces a negative weight. A curve with a peak expresses "neither too few nor
 * too many".
 */
export class CurveScorer implements RowScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Evaluates a curve of points at another scorer’s score or at a field.',
    reads: 'params',
    params: z
      .strictObject({
        scorer: child().optional().describe('The scorer whose score is x. Set scorer or value.'),
        value: path().optional().describe('The path to the number x. Set scorer or value.'),
        points: curvePoints().describe(
          'Two or more points [x, y] with rising x. Linear between the points, constant outside.',
        ),
      })
      .refine(({ scorer, value }) => scorer !== undefined || value !== undefined, 'missing scorer or value')
      .refine(
        ({ scorer, value }) => scorer === undefined || value === undefined,
        'expected either scorer or value, found both',
      ),
    range: ({ points }) => curveRange(points),
    formula: ({ scorer, value, points }, parts) => {
      const x = scorer ? parts.child(scorer) : value && parts.path(value);
      return x && curveFormula(points, x, parts.number);
    },
    reasons: {
      between: '{x} gives {y}, between ({left}) and ({right}): {curve:plot}',
      before: '{x} gives {y}, as all up to ({right}): {curve:plot}',
      beyond: '{x} gives {y}, as all from ({left}) on: {curve:plot}',
      absent: 'the inner scorer does not apply',
      missing: '{field} is absent',
    },
  });

  compile({ scorer, value, points }: Params, live: Live): Score<unknown> {
    const { at, segment } = compileCurve(points);
    const explain = (x: number, y: number) => {
      const k = segment(x);
      const [left, right] = [points[k - 1], points[k]];
      const reason = left === undefined ? 'before' : right === undefined ? 'beyond' : 'between';
      return [reason, { x, y, left, right, curve: { points, x } }] as const;
    };
    if (scorer !== undefined) {
      const inner = live.child(scorer);
      return (candidate, index, note) => {
        const x = inner(candidate, index, note);
        if (x === undefined) return abstain(note, 'absent');
        const y = at(x);
        note?.(...explain(x, y));
        return y;
      };
    }
    const read = value!;
    return (candidate, _index, note) => {
      const x = readFinite(read, candidate);
      if (x === undefined) return abstain(note, 'missing', { field: read.source });
      const y = at(x);
      note?.(...explain(x, y));
      return y;
    };
  }
}
