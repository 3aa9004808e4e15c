import { createCompiledProfile, type PipelineOptions } from '../container.js';
import type { Budget, CallBudget } from '../engine/stages/select/select-plan.js';
import { budgetOf } from '../engine/stages/select/pack.js';
import type { ProfileSource } from '../profile/source/profile-source.js';
import { retainedCount } from '../stream/memory-bound.js';
import type { StreamRun } from '../stream/stream-run.js';
import type { TopRanking } from '../stream/top-ranking.js';
import { RankMerge, type RankMergeState } from './rank-merge.js';
import { type RankPart, type RankPartOptions, rankLines, rankRows } from './rank-part.js';
import type { ShardLines } from './shards.js';
import { openSharedRun, type SharedRun } from './shared-run.js';

/** How a part is ranked, wherever that is. */
type PartOptions = Omit<RankPartOptions, 'count'>;

/** A run whose candidates are ranked part by part, here or elsewhere. */
export class RunParts {
  readonly #budget: Budget | undefined;
  readonly #count: number;

  private constructor(
    private readonly run: StreamRun,
    budget: CallBudget | undefined,
  ) {
    this.#budget = budgetOf(run.plan, budget);
    this.#count = retainedCount(run.plan);
  }

  /** Opens a run that was started elsewhere. */
  static async open(
    profile: ProfileSource,
    host: PipelineOptions,
    shared: SharedRun,
    budget: CallBudget | undefined,
  ): Promise<RunParts> {
    const { plan } = await createCompiledProfile(profile, host);
    return new RunParts(openSharedRun(plan, shared), budget);
  }

  rankLines(lines: ShardLines, options: PartOptions): Promise<RankPart> {
    return rankLines(this.run, lines, { ...options, count: this.#count });
  }

  rankRows(candidates: readonly object[], options: PartOptions): Promise<RankPart> {
    return rankRows(this.run, candidates, { ...options, count: this.#count });
  }

  merge(state?: RankMergeState): RankMerge {
    return new RankMerge(this.run, state);
  }

  /** The ranking of merged parts, as `RankMerge.rank`, within the budget of the run. */
  rank(
    merge: RankMerge,
    candidates: readonly object[],
    readSample: () => Promise<readonly object[]>,
  ): Promise<TopRanking<object>> {
    return merge.rank(candidates, readSample, this.#budget);
  }
}
