import type { PlanOverrides, CallBudget } from '../engine/index.js';

/** The options of a run. Weights and limits override those of the profile for this call only. */
export interface RankOptions extends PlanOverrides {
  /**
   * Stops the run: the promise rejects with the signal's reason, and no memory is updated. A run that has already
   * started to replace memory files finishes and succeeds.
   */
  readonly signal?: AbortSignal;
  /**
   * true: yields to the event loop about every 20 ms, as a run with a `signal` always does. The result is the same. It
   * yields between rows, not while a unit prepares. Default: false; a run without asynchronous entries then blocks the
   * event loop.
   */
  readonly turns?: boolean;
  /** false: does not update memories. Default: true. */
  readonly updateMemory?: boolean;
  /** The budget of a profile that packs. Overrides its target and max; a single number sets both. */
  readonly budget?: CallBudget | undefined;
  /** false: every scorer runs on every candidate, even if the profile prunes or reranks. Default: true. */
  readonly prune?: boolean;
}

/** The options for scoring one candidate. Limits do not apply, because nothing is selected. */
export interface ScoreOptions<T> extends Pick<RankOptions, 'signal' | 'updateMemory' | 'weights'> {
  /** The other candidates, for a profile whose scores depend on them. */
  readonly among?: readonly T[];
}
