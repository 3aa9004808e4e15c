import {
  abstain,
  child,
  defineScorer,
  type Live,
  type ParamsOf,
  path,
  type RowScorer,
  readFinite,
  type Score,
  z,
} from '../../../src/sdk.js';
import { compileCurve, curveFormula, curvePoints, curveRange } from './curve-points.js';

type Params = ParamsOf<typeof CurveScorer>;

/**
 * Reads a curve at the number of a field or of another scorer: linear between its points, level before the first and
 * after the last. A falling curve takes the place of a negative weight, one with a summit that of "neither too few nor
 * too many".
 */
export class CurveScorer implements RowScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Reads a curve of points at another scorer’s score or at a field.',
    reads: 'params',
    params: z
      .strictObject({
        scorer: child().optional().describe('This or value. The scorer whose score is the x.'),
        value: path().optional().describe('This or scorer. The path to the number that is the x.'),
        points: curvePoints().describe('[x, y] each, two or more, x rising: linear between, level beyond.'),
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
