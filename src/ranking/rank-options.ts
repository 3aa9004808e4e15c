import type { CallBudget } from '../engine/stages/select/types.js';

/** What a run may be told besides its candidates and its context. */
export interface RankOptions {
  /** Stops the run: the promise rejects with its reason. */
  readonly abort?: AbortSignal;
  /** false: a run that teaches no memory, as for a look at what would be. True when not said. */
  readonly learn?: boolean;
  /** What a profile that packs may spend, in place of its own target and max: one number is both. */
  readonly budget?: CallBudget | undefined;
  /** false: every scorer is asked about everybody, whatever the profile prunes or reranks. True when not said. */
  readonly prune?: boolean;
}

/** The same for one candidate. */
export interface ScoreOptions<T> extends Omit<RankOptions, 'budget' | 'prune'> {
  /** The other candidates, for a profile whose scores depend on them. */
  readonly among?: readonly T[];
}
