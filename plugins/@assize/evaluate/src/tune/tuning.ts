import type { Problem } from 'assize';
import { curveAt, type CurvePoint } from '../curves.js';
import type { DataSketch } from '../dataset/leaks.js';
import { curveX, writtenPoints } from './curves.js';
import type { HeldOut } from './held-out.js';
import type { Setting } from './model/fitter.js';
import type { LearntFrom, LeftAlone } from './prepare-search.js';
import { type Effective, writtenEntry } from './tune-options.js';
import { changedParams } from './tuned-params.js';
import { isMap } from '../values.js';

/** The result for one scorer. */
export interface TunedScorer {
  readonly id: string;
  /** Its weight in the profile. */
  readonly before: number;
  /** Its new weight. The sum of the absolute weights is the same as in the profile. */
  readonly weight: number;
  /** The curve to apply to its score: at most six points, y from 0 to 1. */
  readonly points?: readonly CurvePoint[] | undefined;
  /** The scores, for a histogram; NaN if absent. */
  readonly scores: Float64Array;
}

/** The result for one param of an entry. */
export interface FoundParam {
  /** The part of the profile that has the entry. */
  readonly list: 'measures' | 'tier2_scorers';
  readonly entry: string;
  /** Its path in the params: `curve.half_life`. */
  readonly param: string;
  /** The unit of its values if it is a duration, such as `d` of `30d`; otherwise empty. */
  readonly unit: string;
  readonly before: number;
  readonly value: number;
}

/** The result of `tuneWeights`: the change of the profile, and its gain on held-out data. */
export interface Tuning {
  readonly profile: string;
  readonly measure: string;
  /** The tuned case of `weights`; undefined if the weights of the entries were tuned. */
  readonly case: string | undefined;
  readonly scorers: readonly TunedScorer[];
  /** The tuned params. */
  readonly params: readonly FoundParam[];
  /** The scorers whose weights were not tuned, and why. */
  readonly left: readonly LeftAlone[];
  /** By each way to divide the data; the first decides `shown`. */
  readonly heldOut: readonly [HeldOut, ...HeldOut[]];
  /** The measure on the training data, before and after. This is not evidence of a gain. */
  readonly training: { readonly before: number; readonly after: number };
  readonly learntFrom: LearntFrom;
  /** Whether the first of `heldOut` shows a gain. */
  readonly shown: boolean;
  /** Whether the time limit or an abort ended the search. */
  readonly stopped: boolean;
  readonly setting: Setting;
  readonly seed: number;
  /** The content of a profile that extends the tuned one: `{ extends: [it], ...change }`. */
  readonly change: TunedChange;
  readonly warnings: readonly Problem[];
  /** Lets `assize evaluate` recognise the tuning data. */
  readonly data: DataSketch;
}

/** The overrides of a profile that extends the tuned one. */
export interface TunedChange {
  /**
   * The plugins of the tuned profile, if an entry names a class: a file looks classes up in its own plugins. Paths are
   * relative to the folder of the pipeline's options.
   */
  readonly plugins?: readonly unknown[];
  readonly measures?: readonly Readonly<Record<string, unknown>>[];
  readonly tier2_scorers?: readonly Readonly<Record<string, unknown>>[];
  readonly weights?: { readonly cases: Readonly<Record<string, Readonly<Record<string, number>>>> };
}

/** The overrides that apply the result. A scorer with the weight 0 is disabled if nothing else reads its score. */
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
      effective,
      own,
      params.filter((one) => one.list === name),
    );
  const measures = list('measures', []);
  const weighed = list('tier2_scorers', entries);
  const { plugins } = effective;
  const namesClass = weighed.some(({ class: unit }) => unit !== undefined);
  return {
    ...(namesClass && Array.isArray(plugins) && plugins.length > 0 && { plugins: [...(plugins as unknown[])] }),
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

/** Adds found params to entries, and adds entries that change only params. A wrapped entry already has its params. */
function withFoundParams(
  effective: Effective,
  entries: readonly Effective[],
  params: readonly FoundParam[],
): readonly Effective[] {
  const ofEntry = (id: unknown): Effective => changedParams(effective, String(id), params);
  const others = new Set(params.map(({ entry }) => entry).filter((id) => !entries.some((one) => one['id'] === id)));
  const own = entries.map((one) => {
    const found = ofEntry(one['id']);
    const isDone = one['enabled'] === false || one['params'] !== undefined || Object.keys(found).length === 0;
    return isDone ? one : { ...one, params: found };
  });
  return [...own, ...Array.from(others, (id) => ({ id, params: ofEntry(id) }))];
}

/** An entry wrapped in a curve. `on_absent` and `on_error` are mapped through the curve too. */
function curvedEntry(
  entry: Effective,
  { id, weight }: Omit<TunedScorer, 'scores'>,
  points: NonNullable<TunedScorer['points']>,
): Effective {
  const {
    class: unit,
    expr,
    params,
    range,
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
    params: { ...(old && isMap(params) ? params : scored(unit, { expr, range }, params)), points },
  };
}

/** Matches an expression that only reads a field of the candidate. */
const FIELD = /^candidate\.([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)$/;

/** The input of a curve: a field by its path, else the entry itself. */
function scored(unit: unknown, { expr, range }: Effective, params: unknown): Effective {
  const field = typeof expr === 'string' ? FIELD.exec(expr)?.[1] : undefined;
  if (field !== undefined) return { value: field };
  if (expr === undefined) return { scorer: { class: unit, ...(params !== undefined && { params }) } };
  return { scorer: { expr, ...(range !== undefined && { range }) } };
}
