import { createCompiledProfile, type PipelineOptions } from '../../pipeline/node.js';
import type { Context, Signals } from '../../sdk/index.js';
import { AssizeError, type Problem } from '../../base/index.js';
import {
  type RunCall,
  overridePlan,
  type PlanOverrides,
  budgetOf,
  copyContext,
  emptyContext,
  type CountedFailure,
  Failures,
  type Plan,
  type Budget,
  type CallBudget,
  NEVER,
} from '../../engine/index.js';
import type { InputFormat } from '../../data/node.js';
import type { ProfileSource, Trust } from '../../profile/index.js';
import { retainedCount, type StreamRun, type TopRanking } from '../../pipeline/index.js';
import {
  rankLines,
  RankMerge,
  type RankMergeState,
  type RankPart,
  type RankPartOptions,
  rankRows,
} from './rank-part.js';
import type { Shard, ShardLines, VersionedFile } from './shards.js';

/** The state of a run that threads or machines share, besides the profile. Plain data if the context and signals are. */
export interface SharedRun {
  /** The call's weights, and the limits of the run as numbers. */
  readonly overrides: PlanOverrides;
  /** The time, context and signals of the run. Each signal is computed once. */
  readonly now: number;
  readonly context: Context;
  readonly signals: Signals;
  /** Failures before any candidate, such as a skipped signal. */
  readonly failures: readonly CountedFailure[];
}

/** Exports the shared state of an open run. */
export function sharedRunOf({ plan, start, failures }: StreamRun, weights: PlanOverrides['weights']): SharedRun {
  const { now, context, signals } = start;
  const { top, minScore, offset } = plan.select;
  return { overrides: { weights, top, minScore, offset }, now, context, signals, failures: failures.entries };
}

/** Opens the same run elsewhere, with the same profile. */
export function openSharedRun(
  compiled: Plan,
  { overrides, now, context, signals, failures: known }: SharedRun,
  abort: AbortSignal = NEVER,
): StreamRun {
  const start = emptyContext(now, copyContext(context));
  start.signals = Object.freeze(Object.assign(Object.create(null), signals) as Signals);
  const failures = new Failures();
  failures.addAll(known);
  return { plan: overridePlan(compiled, overrides), start, abort, failures };
}

/** The call that ranks candidates as one set, with the time, context and signals of an open run. */
export function wholeCall(
  { signals: entries }: Plan,
  { overrides, now, context, signals, failures }: SharedRun,
  candidates: readonly object[],
  budget: CallBudget | undefined,
  abort: AbortSignal = NEVER,
): RunCall {
  return {
    method: 'rank',
    candidates,
    context: { ...context, now },
    abort,
    updateMemory: true,
    budget,
    overrides,
    prune: true,
    knownSignals: Object.fromEntries(entries.map(({ id }) => [id, signals[id]])),
    knownFailures: failures,
  };
}

/** The job that all threads share. Each thread makes its own pipeline from the profile. */
export interface WorkerJob extends SharedRun {
  readonly profile: ProfileSource;
  /** The base of the profile's relative paths. */
  readonly folder: string;
  readonly codegen: boolean;
  readonly trust: Trust;
  readonly file: VersionedFile;
  /** Undefined if the format is not known; then JSON Lines. */
  readonly format: InputFormat | undefined;
}

/** A shard to be ranked. Plain data. */
export interface RankShardTask extends Shard, Required<Pick<RankPartOptions, 'count' | 'minCompetitiveScore'>> {}

/** A shard to be scored. Plain data. */
export interface ScoreShardTask extends Shard {
  /** Whether each row includes its candidate. */
  readonly candidates: boolean;
}

/** A task for a thread. */
export type WorkerTask =
  | { readonly kind: 'open' }
  | ({ readonly kind: 'rank' } & RankShardTask)
  | ({ readonly kind: 'score' } & ScoreShardTask);

/** The reply to a task. An error is also a reply, because an error that a thread throws loses its fields. */
export type WorkerReply<R> =
  | { readonly kind: 'opened' }
  | { readonly kind: 'done'; readonly result: R }
  | { readonly kind: 'failed'; readonly error: SerializedError };

/** An error as plain data: structured cloning would drop the fields of an AssizeError. */
export interface SerializedError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** The problems of an `AssizeError`. */
  readonly problems: readonly Problem[] | undefined;
}

export function serializeError(error: unknown): SerializedError {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  return { name, message, stack, problems: error instanceof AssizeError ? error.problems : undefined };
}

export function deserializeError({ name, message, stack, problems }: SerializedError): Error {
  const error = problems ? new AssizeError(problems, message) : Object.assign(new Error(message), { name });
  if (stack !== undefined) error.stack = stack;
  return error;
}

/** How a part is ranked. The run determines the `count`. */
type PartOptions = Omit<RankPartOptions, 'count'>;

/** Ranks the parts of a run, which may be spread over several machines, and merges them. */
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

  /** Opens a run that another process started. */
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

  /** Ranks merged parts like `RankMerge.rank`, within the budget of the run. */
  rank(
    merge: RankMerge,
    candidates: readonly object[],
    readSample: () => Promise<readonly object[]>,
  ): Promise<TopRanking<object>> {
    return merge.rank(candidates, readSample, this.#budget);
  }
}
