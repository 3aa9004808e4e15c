import { isMap } from '../../expression/index.js';
import { writtenPoints } from '../curves/curve-input.js';
import { curveAt } from '../../evaluate/curves/curve.js';
import { curveX } from '../curves/curve.js';
import type { FoundParam, TunedChange, TunedScorer } from '../tuning.js';
import { type Effective, writtenEntry } from '../params/written-entry.js';

/** What was found, as a change of the profile. A scorer of weight 0 is disabled where nothing else reads its score. */
export function tunedChange(
  effective: Effective,
  scorers: readonly Omit<TunedScorer, 'scores'>[],
  caseName: string | undefined,
  params: readonly FoundParam[] = [],
): TunedChange {
  const weights = Object.fromEntries(scorers.map(({ id, weight }) => [id, weight]));
  const entries = caseName === undefined ? weighedEntries(effective, scorers) : [];
  const list = (name: FoundParam['list'], own: readonly Effective[]): readonly Effective[] =>
    withFoundParams(
      own,
      params.filter((one) => one.list === name),
    );
  const measures = list('measures', []);
  const weighed = list('tier2_scorers', entries);
  return {
    ...(measures.length > 0 && { measures }),
    ...(weighed.length > 0 && { tier2_scorers: weighed }),
    ...(caseName !== undefined && { weights: { cases: { [caseName]: weights } } }),
  };
}

function weighedEntries(effective: Effective, scorers: readonly Omit<TunedScorer, 'scores'>[]): readonly Effective[] {
  const isAlone = ['adjustments', 'report', 'weights', 'rerank'].every((key) => effective[key] === undefined);
  return scorers.map((scorer) => {
    const written = writtenEntry(effective, scorer.id);
    if (scorer.weight === 0 && isAlone && written['on_absent'] !== 'refuse') return { id: scorer.id, enabled: false };
    return scorer.points ? curvedEntry(written, scorer, scorer.points) : { id: scorer.id, weight: scorer.weight };
  });
}

/** Entries with their params, and those that have nothing else that changes. One around which a curve stands has them in it. */
function withFoundParams(entries: readonly Effective[], params: readonly FoundParam[]): readonly Effective[] {
  const ofEntry = (id: unknown): Effective =>
    Object.fromEntries(params.filter(({ entry }) => entry === id).map(({ param, value }) => [param, value]));
  const others = new Set(params.map(({ entry }) => entry).filter((id) => !entries.some((one) => one['id'] === id)));
  const own = entries.map((one) => {
    const found = ofEntry(one['id']);
    const isDone = one['enabled'] === false || one['params'] !== undefined || Object.keys(found).length === 0;
    return isDone ? one : { ...one, params: found };
  });
  return [...own, ...Array.from(others, (id) => ({ id, params: ofEntry(id) }))];
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
