import type { CallBudget } from '../engine/index.js';

/** The options of a run. */
export interface RankOptions {
  /**
   * Stops the run: the promise rejects with its reason, and no memory is updated then or later. A run that has begun to
   * replace memory files is finished, and succeeds.
   */
  readonly abort?: AbortSignal;
  /** false: updates no memory. True when not given. */
  readonly learn?: boolean;
  /** The budget of a profile that packs, in place of its own target and max: one number is both. */
  readonly budget?: CallBudget | undefined;
  /** false: every scorer scores every candidate, whatever the profile prunes or reranks. True when not given. */
  readonly prune?: boolean;
}

/** The options of scoring one candidate. */
export interface ScoreOptions<T> extends Omit<RankOptions, 'budget' | 'prune'> {
  /** The other candidates, for a profile whose scores depend on them. */
  readonly among?: readonly T[];
}
