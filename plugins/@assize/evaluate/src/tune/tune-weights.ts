import { type Problem, type ProfileOrPipeline, toAssizeError } from 'assize';
import { nameList } from 'assize/internal';
import { hasRelativeWeights, type Model } from './model/weighing.js';
import { leakWarnings, sketchOf, queryWarnings } from '../dataset/leaks.js';
import type { JudgedQuery } from '../judged-query.js';
import { seededRandom } from '../significance/distributions.js';
import { cmaEs } from './fit/derivative-free.js';
import { foldWarning, type Found, type HeldOut, measureByPipeline, measureHeldOut } from './held-out.js';
import { chooseSetting, innerMean, wantNegative } from './model/choose-setting.js';
import type { Setting } from './model/fitter.js';
import { tunedChange, type Tuning } from './tuning.js';
import { canFitCurves, prepareSearch, type Search, searchAgain } from './prepare-search.js';
import { checkTuneOptions, type TuneOptions } from './tune-options.js';
import { changedParams, paramValues, type TunedParam, tunedParams, withParams, writtenValues } from './tuned-params.js';
import { isMap } from '../values.js';

/**
 * Finds weights, and curves if requested, that improve the ranking of judged queries, and measures the gain on held-out
 * queries. Each query is ranked once; all further steps work on the score columns.
 *
 * Rules are ignored while weights are searched for. All reported values include rules, cases and curves, before and after.
 *
 * ```ts
 * const { scorers, heldOut: [{ difference, verdict }] } = await tuneWeights('./films.yaml', queries, { measure: 'nDCG@5' });
 * ```
 *
 * @throws AssizeError if the profile has nothing to tune (ASZ550 to ASZ553, ASZ555), the judgements do not suffice
 *   (ASZ554), or options or judgements are malformed (ASZ533, ASZ605, ASZ606); also throws the errors of
 *   `createPipeline` and `rank`
 */
export async function tuneWeights<T>(
  profile: ProfileOrPipeline<T>,
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
    // oxlint-disable-next-line no-await-in-loop -- sequential: CPU-bound
    heldOut.push(await measureHeldOut(base, units, (train) => finder.find(k, train), { repeats, seed }));
  }
  const rows = divisions[0].rowsOf(everything);
  const training = {
    before: measureByPipeline(base, undefined, rows),
    after: measureByPipeline(search, model, rows),
  };
  const found = paramValues(params, values).map((one, k) => ({ ...one, before: params[k]!.start }));
  const negative = wantNegative(search.fitter, search.divisions[0], everything, model, seed);
  const dataset = { queries: search.ranked.queries.map(asObjects), hasQueries: !search.judge.pooled };
  const lacking = queryWarnings(base.ranked.rankings);
  const hints = [...lacking, ...leakWarnings(dataset), ...negativeHints(search, negative)];
  return tuningOf(search, { model, setting, heldOut, training, seed, params: found, hints, data: sketchOf(dataset) });
}

/** Wraps candidates that are not objects, so that all candidates have fields. */
const asObjects = <T>(query: JudgedQuery<T>): JudgedQuery<object> => ({
  ...query,
  candidates: query.candidates.map((one): object => (isMap(one) ? one : { value: one })),
});

/** Hints for scorers with the weight 0 that a negative weight would improve. */
function negativeHints<T>({ tuned, profile }: Search<T>, positions: readonly number[]): readonly Problem[] {
  if (positions.length === 0) return [];
  const ids = nameList(positions.map((k) => tuned.entries[k]!.id));
  const message = `${ids}: the weight is 0, and a negative one would probably help`;
  const summed = hasRelativeWeights(profile) ? 'combine: weighted_sum with --signed' : '--signed';
  const curves = 'try --curves 3, since a falling curve has the effect of a negative weight, or ';
  const hint = `${canFitCurves(profile) ? curves : 'try '}${summed}`;
  return [{ code: 'ASZ740', message, hint }];
}

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

/** A found model with its setting and the values of the tuned params. */
interface FoundSetting<T> extends Found<T> {
  readonly setting: Setting;
  readonly values: readonly number[];
}

/**
 * Finds models from some units of a division: first the params, if any are tuned, then weights and curves over the
 * resulting columns. Rankings are cached by params.
 */
class ModelFinder<T> {
  readonly #searches = new Map<string, Promise<Search<T>>>();

  constructor(
    private readonly base: Search<T>,
    private readonly params: readonly TunedParam[],
    private readonly options: TuneOptions,
  ) {}

  async find(division: number, train: Int32Array): Promise<FoundSetting<T>> {
    const { effort } = this.base;
    const { curves: points = 2, seed = 1 } = this.options;
    const values = await this.#params(division, train);
    const search = await this.#searchAt(values);
    const units = search.divisions[division]!;
    const choice = { points, seed, sparse: this.options.sparse, breathe: () => effort.breathe() };
    const setting = await chooseSetting(search.fitter, units, train, choice);
    return { search, setting, values, model: search.fitter.fit(units.rowsOf(train), setting) };
  }

  /** The params with the best inner cross-validation on the training data. */
  async #params(division: number, train: Int32Array): Promise<readonly number[]> {
    if (this.params.length === 0) return [];
    const { curves: points = 2, seed = 1 } = this.options;
    const value = async (values: readonly number[]): Promise<number> => {
      const { fitter, divisions } = await this.#searchAt(writtenValues(this.params, values));
      return innerMean(fitter, divisions[division]!, train, { pull: 0.03, points, polish: false }, seed);
    };
    const start = this.params.map((param) => param.start);
    const found = await cmaEs(start, this.params, value, seededRandom(seed), () => this.base.effort.isSpent);
    return writtenValues(this.params, found);
  }

  #searchAt(values: readonly number[]): Promise<Search<T>> {
    if (values.length === 0) return Promise.resolve(this.base);
    const key = values.join(' ');
    const search = this.#searches.get(key) ?? this.#rankAgain(values);
    this.#searches.set(key, search);
    return search;
  }

  async #rankAgain(values: readonly number[]): Promise<Search<T>> {
    const { ranked, effective } = this.base;
    const found = paramValues(this.params, values);
    const params = Object.fromEntries(found.map(({ entry }) => [entry, changedParams(effective, entry, found)]));
    const rankings = [];
    // oxlint-disable-next-line no-await-in-loop -- one query at a time: CPU-bound
    for (const ranking of ranked.rankings) rankings.push(await ranking.whatIf({ params }));
    const isSame = rankings.every(({ matrix }, q) => matrix.index.length === ranked.rankings[q]!.matrix.index.length);
    if (!isSame) {
      const message = `other values of ${Object.keys(params).join(', ')} change which candidates are refused`;
      throw toAssizeError([{ code: 'ASZ551', message, hint: 'tune only params that change scores but not refusals' }]);
    }
    return searchAgain(this.base, withParams(effective, found), { ...ranked, rankings }, this.options);
  }
}
