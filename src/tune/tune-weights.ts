import { createCompiledProfile } from '../container.js';
import type { Problem } from '../diagnostics/index.js';
import { checkQueries } from '../evaluate/check-queries.js';
import type { JudgedQuery } from '../evaluate/judged-query.js';
import { Pipeline } from '../pipeline.js';
import { hasRelativeWeights, type ProfileSource } from '../profile/index.js';
import { chooseSetting } from './choose-setting.js';
import { Effort } from './effort.js';
import { Fitter, type Setting } from './fitter.js';
import { foldWarning } from './fold-warning.js';
import type { HeldOut } from './held-out.js';
import { gainOf, lessonsOf } from './lessons.js';
import { defaultMeasure, type LearntFrom, learnable } from './learnable.js';
import { measureHeldOut } from './measure-held-out.js';
import type { Model } from './model.js';
import { rankQueries } from './ranked-queries.js';
import { type LeftAlone, tunedEntries } from './tuned-entries.js';
import { checkTuneOptions, type TuneOptions } from './tune-options.js';
import { groupings } from './units.js';
import { Weighing } from './weighing.js';
import { yardstick } from './yardstick.js';
import type { CurvePoint } from './curves/curve.js';

/** What was found for one scorer. */
export interface TunedScorer {
  readonly id: string;
  /** Its weight in the profile. */
  readonly before: number;
  /** In hundredths. */
  readonly weight: number;
  /** The curve that its score goes through from now on: at most six points, y from 0 to 1. */
  readonly points?: readonly CurvePoint[] | undefined;
  /** The scores themselves, for a histogram; NaN where there was none. */
  readonly scores: Float64Array;
}

/** What tuning has found, and what that is worth on what it had not seen. */
export interface Tuning {
  readonly profile: string;
  readonly measure: string;
  /** The case of `weights` that was tuned; undefined where it was the entries' own weights. */
  readonly case: string | undefined;
  readonly scorers: readonly TunedScorer[];
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
  readonly warnings: readonly Problem[];
}

/**
 * Finds weights, and curves where they are asked for, by which a profile ranks judged queries better, and measures on
 * kept-back parts of them whether it does. Each query is ranked once; everything else is arithmetic on its columns.
 *
 * The rules of a profile are left out while weights are looked for, and count in what is reported of weights alone.
 *
 * ```ts
 * const { scorers, heldOut: [{ difference, verdict }] } = await tuneWeights('./films.yaml', queries, { measure: 'nDCG@5' });
 * ```
 *
 * @throws AssizeError where the profile has nothing to tune (ASZ550 to ASZ553), the data teach nothing (ASZ554), options
 *   or judgements are malformed (ASZ533, ASZ605, ASZ606), and what `createPipeline` and `rank` throw
 */
export async function tuneWeights<T>(
  profile: ProfileSource,
  queries: Iterable<JudgedQuery<T>>,
  options: TuneOptions<T> = {},
): Promise<Tuning> {
  checkTuneOptions(options);
  const effort = new Effort(options);
  const all = checkQueries(queries);
  const compiled = await createCompiledProfile(profile, options.pipeline);
  const resolved = compiled.plan.profile;
  const { tuned, left } = tunedEntries(resolved, options);
  const { relevantFrom = 1, seed = 1, folds = 5 } = options;
  const name = options.measure ?? defaultMeasure(all);
  const ranked = await rankQueries(new Pipeline<T>(compiled), all, effort);
  const judge = yardstick(name, relevantFrom, ranked);
  const [main, ...others] = groupings(ranked, judge.pooled, options.foldsBy ?? []);
  const learntFrom = learnable(ranked, judge, relevantFrom, main);
  const loss = options.loss ?? (judge.pooled ? 'labels' : 'lists');
  const groups = judge.pooled && loss !== 'labels' ? main.rowGroups : undefined;
  const lessons = lessonsOf(ranked, loss, gainOf(judge.name), relevantFrom, groups);
  const weighing = new Weighing(resolved, tuned, ranked);
  const start = tuned.entries.map(({ id, weight }) => startOf(resolved.weights?.cases.get(options.case ?? '')?.get(id) ?? weight));
  const curved = tuned.entries.map(({ id }) => options.curves !== undefined && (options.curved?.includes(id) ?? true));
  const sum = hasRelativeWeights(resolved.combine) ? undefined : start.reduce((total, one) => total + Math.abs(one), 0);
  const { signed = false, anyShape = false } = options;
  const fitter = new Fitter({ start, signed, curved, anyShape, sum, loss }, weighing, lessons, judge, () => effort.isSpent);
  const choice = { points: options.curves ?? 2, seed, breathe: () => effort.breathe() };
  const find = async (units: Int32Array): Promise<{ readonly model: Model; readonly setting: Setting }> => {
    const setting = await chooseSetting(fitter, main, units, choice);
    return { model: fitter.fit(main.rowsOf(units), setting), setting };
  };
  effort.report('fitting', 0, 1);
  const everything = Int32Array.from(main.groups.keys());
  const { model, setting } = await find(everything);
  const rows = main.rowsOf(everything);
  const before: Model = start.map((weight) => ({ weight }));
  const heldOut: HeldOut[] = [];
  for (const units of [main, ...others]) {
    const find = async (train: Int32Array): Promise<Model> =>
      fitter.fit(units.rowsOf(train), await chooseSetting(fitter, units, train, choice));
    // oxlint-disable-next-line no-await-in-loop -- one after another: it is arithmetic
    heldOut.push(await measureHeldOut({ ranked, judge, units, tuned, before, find, effort, folds, seed, fitter, weighing, relevantFrom }));
  }
  const [first, ...rest] = heldOut;
  return {
    profile: resolved.name,
    measure: judge.name,
    case: options.case,
    scorers: model.map((part, k) => ({
      id: tuned.entries[k]!.id,
      before: start[k]!,
      ...part,
      scores: weighing.columns[k]!,
    })),
    left,
    heldOut: [first!, ...rest],
    training: { before: fitter.measure(before, rows), after: fitter.measure(model, rows) },
    learntFrom,
    shown: first!.verdict === 'better',
    stopped: effort.isSpent,
    setting,
    seed,
    warnings: foldWarning(heldOut),
  };
}

const startOf = (weight: unknown): number => (typeof weight === 'number' ? weight : 0);
