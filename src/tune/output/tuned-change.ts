import { isMap } from '../../expression/index.js';
import { writtenPoints } from '../curves/curve-input.js';
import { curveAt, curveX } from '../curves/curve.js';
import type { TunedChange, TunedScorer } from '../tuning.js';
import { type Effective, writtenEntry } from '../written-entry.js';

/** What was found, as a change of the profile. A scorer of weight 0 is disabled where nothing else reads its score. */
export function tunedChange(
  effective: Effective,
  scorers: readonly Omit<TunedScorer, 'scores'>[],
  caseName: string | undefined,
): TunedChange {
  if (caseName !== undefined) {
    return { weights: { cases: { [caseName]: Object.fromEntries(scorers.map(({ id, weight }) => [id, weight])) } } };
  }
  const isAlone = ['adjustments', 'report', 'weights', 'rerank'].every((key) => effective[key] === undefined);
  return {
    tier2_scorers: scorers.map((scorer) => {
      const written = writtenEntry(effective, scorer.id);
      if (scorer.weight === 0 && isAlone && written['on_absent'] !== 'refuse') return { id: scorer.id, enabled: false };
      return scorer.points ? curvedEntry(written, scorer, scorer.points) : { id: scorer.id, weight: scorer.weight };
    }),
  };
}

/** An entry whose score goes through a curve, and what stands in for it too. */
function curvedEntry(
  entry: Effective,
  { id, weight }: Omit<TunedScorer, 'scores'>,
  points: NonNullable<TunedScorer['points']>,
): Effective {
  const {
    class: unit,
    expr,
    params,
    on_absent: absent,
    on_error: failed,
    out_of_range: _range,
    weight: _was,
    ...rest
  } = entry;
  const old = writtenPoints(entry);
  const through = (value: unknown): unknown =>
    typeof value === 'number' ? Math.round(curveAt(points, old ? curveX(old, value) : value) * 1000) / 1000 : value;
  return {
    ...rest,
    id,
    class: 'CurveScorer',
    weight,
    ...(absent !== undefined && { on_absent: through(absent) }),
    ...(failed !== undefined && { on_error: through(failed) }),
    params: { ...(old && isMap(params) ? params : scored(unit, expr, params)), points },
  };
}

/** A field of the candidate, and nothing else. */
const FIELD = /^candidate\.([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)$/;

/** What a curve is read at: a field by its path, else the entry itself. */
function scored(unit: unknown, expr: unknown, params: unknown): Effective {
  const field = typeof expr === 'string' ? FIELD.exec(expr)?.[1] : undefined;
  if (field !== undefined) return { value: field };
  return { scorer: expr === undefined ? { class: unit, ...(params !== undefined && { params }) } : { expr } };
}
