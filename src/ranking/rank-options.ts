import type { PlanOverrides, CallBudget } from '../engine/index.js';

/** The options of a run. Weights and limits override those of the profile for this call only. */
export interface RankOptions extends PlanOverrides {
  /**
   * Stops the run: the promise rejects with the signal's reason, and no memory is updated. A run that has already started to
   * replace memory files finishes and succeeds.
   */
  readonly signal?: AbortSignal;
  /**
   * true: the event loop has a turn every 20 ms or so, between rows, as it has in a run that can be aborted. The result is the same. What a unit
   * prepares at once is not divided. Without either, a run whose entries do not wait keeps everything else waiting.
   */
  readonly turns?: boolean;
  /** false: does not update memories. Default: true. */
  readonly updateMemory?: boolean;
  /** The budget of a profile that packs. Overrides its target and max; a single number sets both. */
  readonly budget?: CallBudget | undefined;
  /** false: every scorer runs on every candidate, even if the profile prunes or reranks. Default: true. */
  readonly prune?: boolean;
}

/** The options for scoring one candidate. It has no limits, because nothing is selected. */
export interface ScoreOptions<T> extends Pick<RankOptions, 'signal' | 'updateMemory' | 'weights'> {
  /** The other candidates, for a profile whose scores depend on them. */
  readonly among?: readonly T[];
}
