import type { JudgedQuery } from '../evaluate/judged-query.js';
import type { ProfileSource } from '../profile/index.js';
import { chooseSetting } from './choose-setting.js';
import { foldWarning } from './fold-warning.js';
import type { HeldOut } from './held-out.js';
import { measureHeldOut } from './measure-held-out.js';
import type { Model } from './model.js';
import { tunedChange } from './output/tuned-change.js';
import { prepareSearch, type Search } from './prepare-search.js';
import { checkTuneOptions, type TuneOptions } from './tune-options.js';
import type { Tuning } from './tuning.js';

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
  const { curves = 2, seed = 1 } = options;
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
    heldOut.push(await measureHeldOut(search, units, find, { repeats: options.repeats, seed }));
  }
  const training = { before: fitter.measure(before, rows), after: fitter.measure(model, rows) };
  return tuningOf(search, { model, setting, heldOut, training, seed });
}

/** What was found, as it is reported. */
function tuningOf<T>(
  { profile, effective, judge, tuned, left, learntFrom, effort, before, weighing }: Search<T>,
  found: Pick<Tuning, 'setting' | 'training' | 'seed'> & {
    readonly model: Model;
    readonly heldOut: readonly HeldOut[];
  },
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
