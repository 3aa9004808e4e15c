import { leakWarnings, sketchOf } from '../evaluate/dataset/leaks.js';
import type { JudgedQuery } from '../evaluate/judged-query.js';
import { nameList, type Problem } from '../diagnostics/index.js';
import { isMap } from '../expression/index.js';
import { hasRelativeWeights, type ProfileSource } from '../profile/index.js';
import { ModelFinder } from './find-model.js';
import { foldWarning } from './held-out/fold-warning.js';
import type { HeldOut } from './held-out/held-out.js';
import { measureByPipeline, measureHeldOut } from './held-out/measure-held-out.js';
import { wantNegative } from './model/choose-setting.js';
import type { Model } from './model/model.js';
import { tunedChange } from './output/tuned-change.js';
import { prepareSearch, type Search } from './prepare/prepare-search.js';
import { tunedParams } from './params/tuned-params.js';
import { checkTuneOptions, type TuneOptions } from './tune-options.js';
import type { Tuning } from './tuning.js';

/**
 * Finds weights, and curves where they are asked for, by which a profile ranks judged queries better, and measures on
 * kept-back parts of them whether it does. Each query is ranked once; everything else is arithmetic on its columns.
 *
 * Rules are ignored while weights are searched for. All reported values include rules, cases and curves, before and after.
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
  const { seed = 1, repeats } = options;
  const base = await prepareSearch(profile, queries, options);
  const params = tunedParams(base.effective, options.params);
  const finder = new ModelFinder(base, params, options);
  const { effort, divisions } = base;
  effort.report('fitting', 0, 1);
  const everything = Int32Array.from(divisions[0].groups.keys());
  const { model, search, setting, values } = await finder.find(0, everything);
  effort.report('fitting', 1, 1);
  const heldOut: HeldOut[] = [];
  for (const [k, units] of divisions.entries()) {
    // oxlint-disable-next-line no-await-in-loop -- one after another: it is arithmetic
    heldOut.push(await measureHeldOut(base, units, (train) => finder.find(k, train), { repeats, seed }));
  }
  const rows = divisions[0].rowsOf(everything);
  const training = {
    before: measureByPipeline(base, undefined, rows),
    after: measureByPipeline(search, model, rows),
  };
  const found = params.map(({ list, entry, param, start }, k) => ({
    list,
    entry,
    param,
    before: start,
    value: values[k]!,
  }));
  const negative = wantNegative(search.fitter, search.divisions[0], everything, model, seed);
  const dataset = { queries: search.ranked.queries.map(asObjects), hasQueries: !search.judge.pooled };
  const hints = [...leakWarnings(dataset), ...negativeHints(search, negative)];
  return tuningOf(search, { model, setting, heldOut, training, seed, params: found, hints, data: sketchOf(dataset) });
}

/** A query whose candidates are objects, as files have them; any other value has no fields. */
const asObjects = <T>(query: JudgedQuery<T>): JudgedQuery<object> => ({
  ...query,
  candidates: query.candidates.map((one): object => (isMap(one) ? one : { value: one })),
});

/** Says of scorers that get no weight what would let them help. */
function negativeHints<T>({ tuned, profile }: Search<T>, positions: readonly number[]): readonly Problem[] {
  if (positions.length === 0) return [];
  const ids = nameList(positions.map((k) => tuned.entries[k]!.id));
  const message = `${ids}: the weight is 0, and a negative one would probably help`;
  const summed = hasRelativeWeights(profile.combine) ? 'combine: weighted_sum with --signed' : '--signed';
  const hint = `try --curves 3, where a curve that falls takes the place of a negative weight, or ${summed}`;
  return [{ code: 'ASZ740', message, hint }];
}

/** What was found, as it is reported. */
function tuningOf<T>(
  { profile, effective, judge, tuned, left, learntFrom, effort, before, weighing }: Search<T>,
  found: Pick<Tuning, 'setting' | 'training' | 'seed' | 'params' | 'data'> & {
    readonly model: Model;
    readonly heldOut: readonly HeldOut[];
    readonly hints: readonly Problem[];
  },
): Tuning {
  const { model, heldOut, hints: _hints, ...rest } = found;
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
    change: tunedChange(effective, scorers, tuned.case, found.params),
    left,
    heldOut: [first!, ...others],
    learntFrom,
    shown: first!.verdict === 'better',
    stopped: effort.isSpent,
    warnings: [...foldWarning(heldOut), ...found.hints],
    ...rest,
  };
}
