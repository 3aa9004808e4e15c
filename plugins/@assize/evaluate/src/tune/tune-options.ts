import type { PipelineOptions, Progress, ProgressStep } from 'assize';
import { checkOptions } from 'assize/internal';
import { LOSS_NAMES, type LossName } from './fit/fit-convex.js';
import { isMap } from '../values.js';

export interface TuneOptions extends EffortOptions {
  /** Such as `nDCG@10`, or `AUC`, `tau` or `rho` over all candidates. Default: nDCG@10; for one query AUC if its grades are 0 and 1, else tau. */
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

/** Lower and upper bounds by `entry.param`. The bounds of a duration such as `30d` are in its unit. */
export type ParamBounds = Readonly<Record<string, readonly [low: number, high: number]>>;

/** A profile as plain data, with everything that it extends merged in. */
export type Effective = Readonly<Record<string, unknown>>;

/** The entry of a scorer in the profile. */
export function writtenEntry(effective: Effective, id: string): Effective {
  const list: readonly unknown[] = Array.isArray(effective['tier2_scorers']) ? effective['tier2_scorers'] : [];
  const entry = list.find((one) => isMap(one) && one['id'] === id);
  return isMap(entry) ? entry : {};
}
