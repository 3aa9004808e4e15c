import { didYouMean, type PipelineOptions, type Progress, type ProgressStep, toAssizeError } from 'assize';
import { checkOptions, nameList } from 'assize/internal';
import type { Bounds } from './fit/derivative-free.js';
import { LOSS_NAMES, type LossName } from './fit/fit-convex.js';
import { isMap } from '../values.js';

export interface TuneOptions extends EffortOptions {
  /** Such as `nDCG@10`, or `AUC`, `tau` or `rho` over all candidates. Default: AUC if there is one query with the grades 0 and 1, else nDCG@10. */
  readonly measure?: string | undefined;
  /** The lowest relevant grade, for binary measures. Default: 1. */
  readonly relevantFrom?: number | undefined;
  /** The ids of the scorers to tune. Default: all with a number as weight. */
  readonly only?: readonly string[] | undefined;
  /** The case of `weights` to tune instead of the weights of the entries. */
  readonly case?: string | undefined;
  /** Whether weights may be negative. Not for a mean. */
  readonly signed?: boolean | undefined;
  /** Keeps the fewest scorers whose measure is within one standard error of the best; others get the weight 0. */
  readonly sparse?: boolean | undefined;
  /** Also fits curves with at most this many points (2 to 6). Not for a geometric mean. */
  readonly curves?: number | undefined;
  /** The ids of the scorers that get a curve. Default: all tuned scorers. */
  readonly curved?: readonly string[] | undefined;
  /** Whether curves may be non-monotone. */
  readonly anyShape?: boolean | undefined;
  /** Numeric params of scorers and measures to tune too, by `entry.param`, with bounds. */
  readonly params?: ParamBounds | undefined;
  /** The loss of the initial fit: over lists, labels, or pairs within a group. Default: depends on the measure. */
  readonly loss?: LossName | undefined;
  /** The number of folds, unless the queries define folds. Default: 5. */
  readonly folds?: number | undefined;
  /**
   * How often the cross-validation is repeated with new folds, to reduce the influence of one division. Default: 5 for
   * fewer than 500 queries (or candidates, without queries), else 1.
   */
  readonly repeats?: number | undefined;
  /** The names of `fold` and `group` in reports, usually their paths. */
  readonly names?: { readonly fold?: string | undefined; readonly group?: string | undefined };
  /** The same seed gives the same folds, weights and intervals. Default: 1. */
  readonly seed?: number | undefined;
  /** Options of the pipeline: units, services, the base folder of relative paths. */
  readonly pipeline?: PipelineOptions | undefined;
}

const OPTIONS = {
  measure: 'string',
  relevantFrom: { expected: 'a number', accepts: Number.isFinite },
  only: 'list',
  case: 'string',
  signed: 'boolean',
  sparse: 'boolean',
  curves: {
    expected: 'a whole number from 2 to 6',
    accepts: (x: unknown) => Number.isInteger(x) && Number(x) >= 2 && Number(x) <= 6,
  },
  curved: 'list',
  anyShape: 'boolean',
  params: 'anything',
  loss: { oneOf: LOSS_NAMES },
  folds: { integerFrom: 2 },
  repeats: { integerFrom: 1 },
  names: 'anything',
  seed: { integerFrom: 0 },
  pipeline: 'anything',
  seconds: { expected: 'a number above 0', accepts: (x: unknown) => Number(x) > 0 },
  signal: 'signal',
  progress: 'function',
} as const;

/** @throws AssizeError (ASZ533) if an option is unknown or invalid */
export const checkTuneOptions = (options: unknown): void => checkOptions('tuneWeights', options, OPTIONS);

/** Time limit, abort signal and progress. */
interface EffortOptions {
  /** Seconds after which the search stops and keeps the best result so far. Default: no limit. */
  readonly seconds?: number | undefined;
  /** Stops the search and keeps the best result so far. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each step. */
  readonly progress?: Progress | undefined;
}

/** The budget of one call. */
export class Effort {
  readonly #ends: number;

  constructor(private readonly options: EffortOptions) {
    this.#ends = performance.now() + (options.seconds ?? Number.POSITIVE_INFINITY) * 1000;
  }

  /** Whether to stop the search and keep the best result so far. */
  get isSpent(): boolean {
    return this.options.signal?.aborted === true || performance.now() > this.#ends;
  }

  /** The signal as an option of `rank`. Unfinished rankings cannot be kept. */
  get signalOption(): { readonly signal?: AbortSignal } {
    return this.options.signal ? { signal: this.options.signal } : {};
  }

  report(task: string, done: number, total: number, unit: ProgressStep['unit'] = 'folds'): void {
    this.options.progress?.({ task, unit, done, total });
  }

  /** Yields to the event loop, so that timers and abort signals run. */
  breathe(): Promise<void> {
    return new Promise((resolve) => void setImmediate(resolve));
  }
}

/** A param to tune within bounds. */
export interface TunedParam extends Bounds {
  readonly list: 'measures' | 'tier2_scorers';
  readonly entry: string;
  readonly param: string;
  /** The value in the profile; the middle of the bounds if it has none. */
  readonly start: number;
  /** Whether to try integers only: if the bounds and the value in the profile are integers. */
  readonly isWhole: boolean;
}

/** Lower and upper bounds by `entry.param`. */
export type ParamBounds = Readonly<Record<string, readonly [low: number, high: number]>>;

const LISTS = ['measures', 'tier2_scorers'] as const;

/**
 * Resolves the params to tune.
 *
 * @throws AssizeError (ASZ551) if the entry does not exist, the param is not a number, or the bounds are invalid
 */
export const tunedParams = (effective: Effective, wanted: ParamBounds = {}): readonly TunedParam[] =>
  Object.entries(wanted).map(([name, bounds]) => tunedParam(effective, name, bounds));

function tunedParam(effective: Effective, name: string, [low, high]: readonly [number, number]): TunedParam {
  const [entry = '', param = '', ...rest] = name.split('.');
  const list = LISTS.find((key) => entriesOf(effective, key).some(({ id }) => id === entry));
  if (!list) {
    const ids = LISTS.flatMap((key) => entriesOf(effective, key).map(({ id }) => String(id)));
    throw wrong(
      `the profile has no measure or scorer ${entry}`,
      didYouMean(entry, ids, `the entries are ${nameList(ids)}`),
    );
  }
  if (param === '' || rest.length > 0)
    throw wrong(`${name} is not the name of a param`, 'expected entry.param, as in fresh.half_life');
  if (!(Number.isFinite(low) && Number.isFinite(high) && low < high)) {
    throw wrong(`the bounds of ${name} are ${low} and ${high}`, 'expected two numbers, the lower one first');
  }
  const { params } = entriesOf(effective, list).find(({ id }) => id === entry)!;
  const now = isMap(params) ? params[param] : undefined;
  if (now !== undefined && typeof now !== 'number') throw wrong(`${name} is not a number in the profile`);
  const start = Math.min(high, Math.max(low, now ?? (low + high) / 2));
  const isWhole = [low, high, now ?? low].every(Number.isInteger) && high - low >= 2;
  return { list, entry, param, low, high, start, isWhole };
}

const entriesOf = (effective: Effective, key: string): readonly Effective[] => {
  const list: unknown = effective[key];
  return Array.isArray(list) ? list.filter(isMap) : [];
};

/** Rounds values for output: to three digits of the width of the bounds, or to integers. */
export const writtenValues = (params: readonly TunedParam[], values: readonly number[]): readonly number[] =>
  params.map(({ low, high, isWhole }, k) => {
    const decimals = isWhole ? 0 : Math.max(0, 2 - Math.floor(Math.log10(high - low)));
    return Math.min(high, Math.max(low, Number(values[k]!.toFixed(decimals))));
  });

/** The effective profile with these values. */
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

/** A profile as plain data, with everything that it extends merged in. */
export type Effective = Readonly<Record<string, unknown>>;

/** The entry of a scorer in the profile. */
export function writtenEntry(effective: Effective, id: string): Effective {
  const list: readonly unknown[] = Array.isArray(effective['tier2_scorers']) ? effective['tier2_scorers'] : [];
  const entry = list.find((one) => isMap(one) && one['id'] === id);
  return isMap(entry) ? entry : {};
}
