import { seededRandom } from '../evaluate/significance/random.js';
import { chooseSetting, innerMean } from './model/choose-setting.js';
import { toAssizeError } from '../diagnostics/index.js';
import { cmaEs } from './fit/cma-es.js';
import type { Setting } from './model/fitter.js';
import type { Found } from './held-out/measure-held-out.js';
import { type Search, searchAgain } from './prepare/prepare-search.js';
import type { TuneOptions } from './tune-options.js';
import { type TunedParam, withParams, writtenValues } from './params/tuned-params.js';

/** What was found, how, and with which params. */
export interface FoundSetting<T> extends Found<T> {
  readonly setting: Setting;
  readonly values: readonly number[];
}

/**
 * Finds models from some units of a division: params first, where there are any to be found, then weights and curves over
 * the columns that they give. What was ranked with some params is kept, and each query is prepared for no params twice.
 */
export class ModelFinder<T> {
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

  /** The params by which weights do best on parts of the training data that they have not seen. */
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
    const params: Record<string, Record<string, number>> = {};
    for (const [k, { entry, param }] of this.params.entries())
      params[entry] = { ...params[entry], [param]: values[k]! };
    const rankings = [];
    // oxlint-disable-next-line no-await-in-loop -- a query at a time: more at once would only wait for one another
    for (const ranking of ranked.rankings) rankings.push(await ranking.whatIf({ params }));
    const isSame = rankings.every(({ matrix }, q) => matrix.index.length === ranked.rankings[q]!.matrix.index.length);
    if (!isSame) {
      const message = `with ${Object.keys(params).join(', ')} otherwise, other candidates are refused`;
      throw toAssizeError([{ code: 'ASZ551', message, hint: 'a param is found where it changes scores alone' }]);
    }
    return searchAgain(this.base, withParams(effective, this.params, values), { ...ranked, rankings }, this.options);
  }
}
