import {
  ABORT_SIGNAL,
  ANYTHING,
  BOOLEAN,
  checkOptions,
  FUNCTION,
  integerFrom,
  LIST,
  oneOf,
  type OptionTypes,
  STRING,
} from '../diagnostics/index.js';
import type { PipelineOptions } from '../container.js';
import type { EffortOptions } from './effort.js';
import type { ParamBounds } from './params/tuned-params.js';
import { LOSS_NAMES, type LossName } from './fit/loss.js';

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
