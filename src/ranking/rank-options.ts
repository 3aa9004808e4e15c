import type { PlanOverrides, CallBudget } from '../engine/index.js';

/** The options of a run. Weights and limits hold for this call alone, in place of the profile's. */
export interface RankOptions extends PlanOverrides {
  /**
   * Stops the run: the promise rejects with its reason, and no memory is updated then or later. A run that has begun to
   * replace memory files is finished, and succeeds.
   */
  readonly signal?: AbortSignal;
  /**
   * true: the event loop has a turn every 20 ms or so, between rows, as it has in a run that can be aborted. The result is the same. What a unit
   * prepares at once is not divided. Without either, a run whose entries do not wait keeps everything else waiting.
   */
  readonly turns?: boolean;
  /** false: updates no memory. True when not given. */
  readonly learn?: boolean;
  /** The budget of a profile that packs, in place of its own target and max: one number is both. */
  readonly budget?: CallBudget | undefined;
  /** false: every scorer scores every candidate, whatever the profile prunes or reranks. True when not given. */
  readonly prune?: boolean;
}

/** The options of scoring one candidate. There are no limits among them: nothing is selected. */
export interface ScoreOptions<T> extends Pick<RankOptions, 'signal' | 'learn' | 'weights'> {
  /** The other candidates, for a profile whose scores depend on them. */
  readonly among?: readonly T[];
}
