import { createCompiledProfile, type PipelineOptions } from '../container.js';
import type { Context } from '../contract/index.js';
import { NEVER } from '../engine/limits.js';
import { overridePlan, type PlanOverrides } from '../engine/override-plan.js';
import type { Budget, CallBudget } from '../engine/stages/select/types.js';
import { budgetOf } from '../engine/start-run.js';
import type { ProfileSource } from '../profile/source/profile-source.js';
import { checkBounded, retainedCount } from '../stream/memory-bound.js';
import { openStreamRun, type StreamRun } from '../stream/stream-run.js';
import type { TopRanking } from '../stream/top-ranking.js';
import { isCloneable } from './is-cloneable.js';
import { RankMerge, type RankMergeState } from './rank-merge.js';
import { type RankPart, type RankPartOptions, rankLines, rankRows } from './rank-part.js';
import type { ShardLines } from './shards.js';
import { openSharedRun, type SharedRun, sharedRunOf } from './shared-run.js';

/** What a run is started with. */
export interface RunPartsOptions extends PlanOverrides {
  readonly context: Context;
  readonly budget: CallBudget | undefined;
}

/** How a part is ranked, wherever that is. */
type PartOptions = Omit<RankPartOptions, 'count'>;

/** A run whose candidates are ranked part by part, here or elsewhere. */
export class RunParts {
  readonly #budget: Budget | undefined;
  readonly #count: number;

  private constructor(
    private readonly run: StreamRun,
    /** What another machine needs to open the same run. */
    readonly shared: SharedRun,
    budget: CallBudget | undefined,
  ) {
    this.#budget = budgetOf(run.plan, budget);
    this.#count = retainedCount(run.plan);
  }

  /**
   * Starts a run: its time, limits and signals are computed now.
   *
   * @throws AssizeError with every problem of the profile and the context, and where an entry needs all candidates (ASZ518)
   */
  static async start(profile: ProfileSource, host: PipelineOptions, options: RunPartsOptions): Promise<RunParts> {
    const { context, budget, ...overrides } = options;
    const { plan: compiled } = await createCompiledProfile(profile, host);
    const plan = overridePlan(compiled, overrides);
    checkBounded(plan.profile);
    const run = await openStreamRun(plan, context, NEVER);
    return new RunParts(run, sharedRunOf(run, overrides.weights), budget);
  }

  /** Opens a run that was started elsewhere. */
  static async open(
    profile: ProfileSource,
    host: PipelineOptions,
    shared: SharedRun,
    budget: CallBudget | undefined,
  ): Promise<RunParts> {
    const { plan } = await createCompiledProfile(profile, host);
    return new RunParts(openSharedRun(plan, shared), shared, budget);
  }

  /** Whether another machine can open the same run. */
  get isShareable(): boolean {
    return isCloneable(this.shared.context) && isCloneable(this.shared.signals);
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
