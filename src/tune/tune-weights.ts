import type { Problem } from '../diagnostics/index.js';
import type { JudgedQuery } from '../evaluate/judged-query.js';
import type { ProfileSource } from '../profile/index.js';
import { chooseSetting } from './choose-setting.js';
import type { CurvePoint } from './curves/curve.js';
import type { Setting } from './fitter.js';
import { foldWarning } from './fold-warning.js';
import type { HeldOut } from './held-out.js';
import type { LearntFrom } from './learnable.js';
import { measureHeldOut } from './measure-held-out.js';
import type { Model } from './model.js';
import { type TunedChange, tunedChange } from './output/tuned-change.js';
import { prepareSearch, type Search } from './prepare-search.js';
import type { LeftAlone } from './tuned-entries.js';
import { checkTuneOptions, type TuneOptions } from './tune-options.js';

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
  /** What a profile that extends the tuned one says: `{ extends: [it], ...change }`. */
  readonly change: TunedChange;
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
  options: TuneOptions = {},
): Promise<Tuning> {
  checkTuneOptions(options);
  const { curves = 2, seed = 1, repeats = 1 } = options;
  const search = await prepareSearch(profile, queries, options);
  const { fitter, effort, divisions, before } = search;
  const choice = { points: curves, seed, breathe: () => effort.breathe() };
  const [main] = divisions;
  effort.report('fitting', 0, 1);
  const everything = Int32Array.from(main.groups.keys());
  const setting = await chooseSetting(fitter, main, everything, choice);
  const rows = main.rowsOf(everything);
  const model = fitter.fit(rows, setting);
  effort.report('fitting', 1, 1);
  const heldOut: HeldOut[] = [];
  for (const units of divisions) {
    const find = async (train: Int32Array): Promise<Model> =>
      fitter.fit(units.rowsOf(train), await chooseSetting(fitter, units, train, choice));
    // oxlint-disable-next-line no-await-in-loop -- one after another: it is arithmetic
    heldOut.push(await measureHeldOut(search, units, find, { repeats, seed }));
  }
  const training = { before: fitter.measure(before, rows), after: fitter.measure(model, rows) };
  return tuningOf(search, { model, setting, heldOut, training, seed });
}

/** What was found, as it is reported. */
function tuningOf<T>(
  { profile, effective, judge, tuned, left, learntFrom, effort, before, weighing }: Search<T>,
  found: Pick<Tuning, 'setting' | 'training' | 'seed'> & { readonly model: Model; readonly heldOut: readonly HeldOut[] },
): Tuning {
  const { model, heldOut, ...rest } = found;
  const [first, ...others] = heldOut;
  const scorers = model.map((part, k) => ({
    id: tuned.entries[k]!.id,
    before: before[k]!.weight,
    ...part,
    scores: weighing.columns[k]!,
  }));
  return {
    profile: profile.name,
    measure: judge.name,
    case: tuned.case,
    scorers,
    change: tunedChange(effective, scorers, tuned.case),
    left,
    heldOut: [first!, ...others],
    learntFrom,
    shown: first!.verdict === 'better',
    stopped: effort.isSpent,
    warnings: foldWarning(heldOut),
    ...rest,
  };
}
