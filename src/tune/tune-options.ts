import type { PipelineOptions } from '../create-pipeline.js';
import {
  ABORT_SIGNAL,
  ANYTHING,
  BOOLEAN,
  checkOptions,
  didYouMean,
  FUNCTION,
  integerFrom,
  LIST,
  nameList,
  oneOf,
  type OptionTypes,
  STRING,
  toAssizeError,
} from '../diagnostics/index.js';
import { isMap } from '../expression/index.js';
import type { Bounds } from './fit/derivative-free.js';
import { LOSS_NAMES, type LossName } from './fit/fit-convex.js';

export interface TuneOptions extends EffortOptions {
  /** Such as `nDCG@10`, or `AUC`. AUC where there is one query and its grades are 0 and 1, else nDCG@10. */
  readonly measure?: string | undefined;
  /** The least grade that is relevant, for measures that know two classes only. 1 when not given. */
  readonly relevantFrom?: number | undefined;
  /** The ids of the scorers whose weights are found; all whose weight is a number when not given. */
  readonly only?: readonly string[] | undefined;
  /** The case of `weights` that is tuned, in place of the entries' own weights. */
  readonly case?: string | undefined;
  /** Whether weights may be negative. Not in a mean. */
  readonly signed?: boolean | undefined;
  /** Keeps the fewest scorers that measure within one standard error of the best; the others get the weight 0. */
  readonly sparse?: boolean | undefined;
  /** Fits curves of at most so many points, 2 to 6, and not weights alone. */
  readonly curves?: number | undefined;
  /** The ids of the scorers that get one; all that are tuned when not given. */
  readonly curved?: readonly string[] | undefined;
  /** Whether a curve may rise and fall. */
  readonly anyShape?: boolean | undefined;
  /** Params to be found besides, by `entry.param`, each with its bounds: of scorers and measures, where they are numbers. */
  readonly params?: ParamBounds | undefined;
  /** How the search begins: from whole lists, from labels, from pairs within a group. By the measure when not given. */
  readonly loss?: LossName | undefined;
  /** How many folds are made; those that the queries have are taken as they are. 5 when not given. */
  readonly folds?: number | undefined;
  /**
   * How often folds are made anew, and the mean taken: what one division happens to show counts less. When not given, 5
   * of fewer than 500 queries (or candidates, for AUC), else 1.
   */
  readonly repeats?: number | undefined;
  /** How reports name the `fold` and the `group` of queries or candidates: by the path that they come from. */
  readonly names?: { readonly fold?: string | undefined; readonly group?: string | undefined };
  /** The same seed gives the same folds, weights and intervals: 1 when not given. */
  readonly seed?: number | undefined;
  /** How the profile is opened: units, services, the folder of relative paths. */
  readonly pipeline?: PipelineOptions | undefined;
}

const OPTIONS: OptionTypes = {
  measure: STRING,
  relevantFrom: { expected: 'a number', accepts: Number.isFinite },
  only: LIST,
  case: STRING,
  signed: BOOLEAN,
  sparse: BOOLEAN,
  curves: {
    expected: 'a whole number from 2 to 6',
    accepts: (x) => Number.isInteger(x) && Number(x) >= 2 && Number(x) <= 6,
  },
  curved: LIST,
  anyShape: BOOLEAN,
  params: ANYTHING,
  loss: oneOf(LOSS_NAMES),
  folds: integerFrom(2),
  repeats: integerFrom(1),
  names: ANYTHING,
  seed: integerFrom(0),
  pipeline: ANYTHING,
  seconds: { expected: 'a number above 0', accepts: (x) => Number(x) > 0 },
  abort: ABORT_SIGNAL,
  progress: FUNCTION,
};

/** @throws AssizeError (ASZ533) where an option is not known, or not what it should be */
export const checkTuneOptions = (options: unknown): void => checkOptions('tuneWeights', options, OPTIONS);

/** What tuning may take, and who hears of its progress. */
interface EffortOptions {
  /** Seconds after which the best that was found is kept. No limit when not given. */
  readonly seconds?: number | undefined;
  /** Ends the search as the time does; the best that was found is kept. */
  readonly abort?: AbortSignal | undefined;
  /** Called with each step of the work. */
  readonly progress?: ((step: TuneStep) => void) | undefined;
}

export interface TuneStep {
  /** What is being done: `ranking`, `fitting`, `measuring on what is kept back`. */
  readonly task: string;
  readonly unit: 'queries' | 'folds';
  readonly done: number;
  readonly of: number;
}

/** The budget of one call. Once it is spent it stays spent. */
export class Effort {
  readonly #ends: number;

  constructor(private readonly options: EffortOptions) {
    this.#ends = performance.now() + (options.seconds ?? Number.POSITIVE_INFINITY) * 1000;
  }

  /** Whether to stop searching, and keep what there is. */
  get isSpent(): boolean {
    return this.options.abort?.aborted === true || performance.now() > this.#ends;
  }

  /** The signal as an option of `rank`: what is not ranked yet cannot be kept. */
  get abortOption(): { readonly abort?: AbortSignal } {
    return this.options.abort ? { abort: this.options.abort } : {};
  }

  report(task: string, done: number, of: number, unit: TuneStep['unit'] = 'folds'): void {
    this.options.progress?.({ task, unit, done, of });
  }

  /** Lets timers and signals be heard between two pieces of arithmetic. */
  breathe(): Promise<void> {
    return new Promise((resolve) => void setImmediate(resolve));
  }
}

/** A param to be found, within bounds. */
export interface TunedParam extends Bounds {
  readonly list: 'measures' | 'tier2_scorers';
  readonly entry: string;
  readonly param: string;
  /** What the profile has; the middle of the bounds where it has none. */
  readonly start: number;
  /** Whether only whole numbers are tried: where the bounds and the profile's are such. */
  readonly isWhole: boolean;
}

/** Params by `entry.param`, each with the least and the greatest that it may be. */
export type ParamBounds = Readonly<Record<string, readonly [low: number, high: number]>>;

const LISTS = ['measures', 'tier2_scorers'] as const;

/**
 * The params to be found.
 *
 * @throws AssizeError (ASZ551) where the profile has no such entry, its param is no number, or the bounds are none
 */
export const tunedParams = (effective: Effective, wanted: ParamBounds = {}): readonly TunedParam[] =>
  Object.entries(wanted).map(([name, bounds]) => tunedParam(effective, name, bounds));

function tunedParam(effective: Effective, name: string, [low, high]: readonly [number, number]): TunedParam {
  const [entry = '', param = '', ...rest] = name.split('.');
  const list = LISTS.find((key) => entriesOf(effective, key).some(({ id }) => id === entry));
  if (!list) {
    const ids = LISTS.flatMap((key) => entriesOf(effective, key).map(({ id }) => String(id)));
    throw wrong(`the profile has no measure or scorer ${entry}`, didYouMean(entry, ids, `there is: ${nameList(ids)}`));
  }
  if (param === '' || rest.length > 0)
    throw wrong(`${name} is no param`, 'expected entry.param, as in fresh.half_life');
  if (!(Number.isFinite(low) && Number.isFinite(high) && low < high)) {
    throw wrong(`the bounds of ${name} are ${low} and ${high}`, 'expected two numbers, the least first');
  }
  const { params } = entriesOf(effective, list).find(({ id }) => id === entry)!;
  const now = isMap(params) ? params[param] : undefined;
  if (now !== undefined && typeof now !== 'number') throw wrong(`${name} is no number in the profile`);
  const start = Math.min(high, Math.max(low, now ?? (low + high) / 2));
  const isWhole = [low, high, now ?? low].every(Number.isInteger) && high - low >= 2;
  return { list, entry, param, low, high, start, isWhole };
}

const entriesOf = (effective: Effective, key: string): readonly Effective[] => {
  const list: unknown = effective[key];
  return Array.isArray(list) ? list.filter(isMap) : [];
};

/** The values as they would be written: three digits of the bounds' width, or whole. */
export const writtenValues = (params: readonly TunedParam[], values: readonly number[]): readonly number[] =>
  params.map(({ low, high, isWhole }, k) => {
    const decimals = isWhole ? 0 : Math.max(0, 2 - Math.floor(Math.log10(high - low)));
    return Math.min(high, Math.max(low, Number(values[k]!.toFixed(decimals))));
  });

/** The profile with these values, as one file. */
export function withParams(effective: Effective, params: readonly TunedParam[], values: readonly number[]): Effective {
  const changed = { ...effective };
  for (const [k, { list, entry, param }] of params.entries()) {
    changed[list] = entriesOf(changed, list).map((one) =>
      one['id'] === entry
        ? { ...one, params: { ...(isMap(one['params']) ? one['params'] : {}), [param]: values[k] } }
        : one,
    );
  }
  return changed;
}

const wrong = (message: string, hint?: string): Error => toAssizeError([{ code: 'ASZ551', message, hint }]);

/** A profile as one file, with all that it extends. */
export type Effective = Readonly<Record<string, unknown>>;

/** A scorer as a profile writes it. */
export function writtenEntry(effective: Effective, id: string): Effective {
  const list: readonly unknown[] = Array.isArray(effective['tier2_scorers']) ? effective['tier2_scorers'] : [];
  const entry = list.find((one) => isMap(one) && one['id'] === id);
  return isMap(entry) ? entry : {};
}
