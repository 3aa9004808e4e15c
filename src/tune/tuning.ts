import type { Problem } from '../diagnostics/index.js';
import { curveAt, type CurvePoint } from '../evaluate/curves.js';
import type { DataSketch } from '../evaluate/dataset/leaks.js';
import { isMap } from '../expression/index.js';
import { curveX, writtenPoints } from './curves.js';
import type { HeldOut } from './held-out.js';
import type { Setting } from './model/fitter.js';
import type { LearntFrom, LeftAlone } from './prepare-search.js';
import { type Effective, writtenEntry } from './tune-options.js';

/** What was found for one scorer. */
export interface TunedScorer {
  readonly id: string;
  /** Its weight in the profile. */
  readonly before: number;
  /** On the scale of the profile: the sum of the weights, without signs, is what it was before. */
  readonly weight: number;
  /** The curve that its score goes through from now on: at most six points, y from 0 to 1. */
  readonly points?: readonly CurvePoint[] | undefined;
  /** The scores themselves, for a histogram; NaN where there was none. */
  readonly scores: Float64Array;
}

/** What was found for one param of an entry. */
export interface FoundParam {
  /** The part of the profile that has the entry. */
  readonly list: 'measures' | 'tier2_scorers';
  readonly entry: string;
  readonly param: string;
  readonly before: number;
  readonly value: number;
}

/** What tuning has found, and what that is worth on what it had not seen. */
export interface Tuning {
  readonly profile: string;
  readonly measure: string;
  /** The case of `weights` that was tuned; undefined where it was the entries' own weights. */
  readonly case: string | undefined;
  readonly scorers: readonly TunedScorer[];
  /** The params that were asked for. */
  readonly params: readonly FoundParam[];
  /** The scorers whose weights stayed as they were, and why. */
  readonly left: readonly LeftAlone[];
  /** By each way to make folds; the first is the one that was asked for first. */
  readonly heldOut: readonly [HeldOut, ...HeldOut[]];
  /** The value on what it was learnt from, before and after: no evidence. */
  readonly training: { readonly before: number; readonly after: number };
  /** How many queries, and how many of their candidates, were learnt from. */
  readonly learntFrom: LearntFrom;
  /** Whether the first of `heldOut` shows a gain. */
  readonly shown: boolean;
  /** Whether time or the caller ended the search. */
  readonly stopped: boolean;
  readonly setting: Setting;
  readonly seed: number;
  /** What a profile that extends the tuned one says: `{ extends: [it], ...change }`. */
  readonly change: TunedChange;
  readonly warnings: readonly Problem[];
  /** By which `assize evaluate` recognises the data that the profile was tuned on. */
  readonly data: DataSketch;
}

/** What a profile that extends the tuned one says otherwise. */
export interface TunedChange {
  readonly measures?: readonly Readonly<Record<string, unknown>>[];
  readonly tier2_scorers?: readonly Readonly<Record<string, unknown>>[];
  readonly weights?: { readonly cases: Readonly<Record<string, Readonly<Record<string, number>>>> };
}

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
