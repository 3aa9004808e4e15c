import type { TracedCall, Context } from '../sdk/index.js';
import { checkOptions, toAssizeError, type Problem } from '../base/index.js';
import {
  type CallResult,
  executeCall,
  type RunCall,
  RunQueue,
  overridePlan,
  scoringPlan,
  NO_CONTEXT,
  NO_SIGNALS,
  checkSync,
  memoryBusy,
  requiresAsync,
  type SyncCall,
  type CompiledProfile,
  type Plan,
  type RunResult,
  type RunState,
  run,
  type CallBudget,
  awaitPromise,
  chain,
  isPromise,
  isTask,
  type MaybeAsync,
  NEVER,
  runAsync,
  runSync,
} from '../engine/index.js';
import {
  entriesThatDiffer,
  type CandidateRead,
  candidateReads,
  type ContextField,
  describeProfile,
  entriesNeedingWhole,
  idsNeedingAll,
  type ProfileDescription,
  type PruningFacts,
  pruningFacts,
  type Labels,
  type ServeSpec,
} from '../profile/index.js';
import {
  type RankOptions,
  type ScoreOptions,
  type Ranking,
  scoreOne,
  type Ranked,
  type Refused,
  createRanking,
} from '../ranking/index.js';
import {
  PARTITION_OPTIONS,
  RANK_OPTIONS,
  RANK_STREAM_OPTIONS,
  SCORE_OPTIONS,
  SCORE_STREAM_OPTIONS,
} from './option-types.js';
import {
  groupingBy,
  type Partition,
  type PartitionContext,
  partitionChunks,
  type PartitionPart,
  PartitionRanker,
  type RankPartitionsOptions,
} from './rank-partitions.js';
import { type GroupBatch, groupBatches } from './group-batch.js';
import { rankStream, type RankStreamOptions } from './rank-stream.js';
import { ScoreStream, type ScoreStreamOptions } from './score-stream.js';
import { StreamMemories } from './stream-memory.js';
import type { TopRanking } from './top-ranking.js';

/** Ranks groups of rows that arrive in chunks, as `rankPartitions` does. Not a method, because it is not public. */
export let rankPartitionChunks: <T>(
  pipeline: Pipeline<T>,
  chunks: AsyncIterable<readonly T[]>,
  context: PartitionContext<T>,
  options: RankPartitionsOptions<T>,
  part?: PartitionPart,
) => AsyncGenerator<Partition<T> | GroupBatch, void>;

/** A compiled profile. Immutable. Can run any number of times, also concurrently. */
export class Pipeline<T = unknown> {
  readonly #compiled: CompiledProfile;
  readonly #plan: Plan;
  /** The plan for calls that do not select. */
  readonly #scoringPlan: Plan;
  /** Serializes runs if units have memories. */
  readonly #queue = new RunQueue();
  /** The synchronous calls for which the profile was checked. */
  readonly #checked = new Set<SyncCall>();

  /**
   * Probable mistakes in a valid profile, each with its place and a hint: a weight of 0, a key without effect, a phase
   * that is never reached. Mistakes that only a run shows are in the ranking's `warnings`.
   */
  readonly warnings: readonly Problem[];

  static {
    rankPartitionChunks = (pipeline, chunks, context, options, part) =>
      pipeline.#partitionRanker(context, options, part).rankTogether(chunks);
  }

  constructor(compiled: CompiledProfile) {
    this.#compiled = compiled;
    this.#plan = compiled.plan;
    this.#scoringPlan = scoringPlan(compiled.plan);
    this.warnings = Object.freeze([...compiled.warnings]);
  }

  /** The profile's name. */
  get name(): string {
    return this.#plan.profile.name;
  }

  /** Whether the profile has `select.pack`. Then a ranking has a budget. */
  get packs(): boolean {
    return this.#plan.pack !== undefined;
  }

  /** The `description` of the profile. */
  get description(): string | undefined {
    return this.#plan.profile.description;
  }

  /** The `serve` key of the profile: the fields of documents and queries, and its shadow. */
  get serve(): ServeSpec {
    return this.#plan.profile.serve;
  }

  /** The display names (`label`) of the profile's entries, by id; undefined if no entry has one. */
  get labels(): Labels | undefined {
    return this.#plan.profile.labels;
  }

  /** The ids of the profile's entries, by kind. */
  describe(): ProfileDescription {
    return describeProfile(this.#plan.profile);
  }

  /** The fields of the context that the profile declares, by name. */
  get contextFields(): Readonly<Record<string, ContextField>> {
    return Object.fromEntries(this.#plan.profile.context);
  }

  /**
   * The candidate fields that the profile reads, each with its reader. Other fields do not affect the result. A reader
   * without `field` may read any field.
   */
  get candidateReads(): readonly CandidateRead[] {
    return candidateReads(this.#plan.profile);
  }

  /**
   * The scorers that a ranking runs only on candidates that can still be selected, or why the profile has no such
   * scorers. The selection is the same. The ranking's `pruned` counts the candidates on which such a scorer did not
   * run.
   */
  get pruning(): PruningFacts {
    return pruningFacts(this.#plan.profile);
  }

  /**
   * Ranks candidates.
   *
   * @param candidates plain objects, which are not modified. Default: the profile's strategies generate them
   * @param context values of this request; `now` (milliseconds, ISO 8601 or a Date) is the time of the run
   * @param options `weights`, `top`, `minScore` and `offset` have the same effect as in the profile
   * @throws AssizeError if an entry with `on_error: fail` fails, or the context does not match the profile's schema; if
   *   an option is invalid (ASZ533), or the profile cannot use it (ASZ534); if a limit that the profile computes is
   *   invalid (ASZ535)
   */
  async rank(candidates?: readonly T[], context: Context = NO_CONTEXT, options: RankOptions = {}): Promise<Ranking<T>> {
    checkOptions('rank', options, RANK_OPTIONS);
    const call = this.#call('rank', candidates, context, options);
    const result = this.#execute(this.#plan, call, run);
    return createRanking(this.#compiled, call, isPromise(result) ? await result : result);
  }

  /**
   * Ranks candidates synchronously, for a profile without asynchronous units. A unit is asynchronous if its `prepare`
   * returns a promise (a model, a file, a service), or if its memory is stored in a file.
   *
   * ```ts
   * const { selected } = pipeline.rankSync(repositories);
   * ```
   *
   * The result is that of `rank`. Time-outs and `signal` cannot interrupt it. An entry that is always asynchronous is
   * reported before the run; an entry that is sometimes asynchronous, when it returns a promise. The run is then
   * discarded without an effect on memories, but the pending work of the unit continues.
   *
   * @throws AssizeError as `rank` does; if an entry is asynchronous, with its place (ASZ516); while another run updates
   *   a memory that this one would read (ASZ517)
   */
  rankSync(
    candidates?: readonly T[],
    context: Context = NO_CONTEXT,
    options: Omit<RankOptions, 'signal' | 'turns'> = {},
  ): Ranking<T> {
    checkOptions('rankSync', options, RANK_OPTIONS);
    const call = this.#call('rankSync', candidates, context, options);
    return createRanking(this.#compiled, call, this.#executeSync(RANK, this.#plan, call, run));
  }

  /**
   * Ranks candidates and packs the best that fit into a budget: `rank` with the budget of this call.
   *
   * @param budget in the unit of the profile's `select.pack.cost`; one number is both target and max
   * @returns the ranking: `selected` has the packed rows in order, `notSelected` the others with reasons, `budget` its
   *   use
   * @throws AssizeError as `rank` does; if the profile has no `select.pack`, or the pinned candidates exceed the budget
   */
  pack(
    candidates: readonly T[],
    budget: CallBudget,
    context: Context = NO_CONTEXT,
    options: Omit<RankOptions, 'budget'> = {},
  ): Promise<Ranking<T>> {
    return this.rank(candidates, context, { ...options, budget });
  }

  /**
   * Takes over the memories of an earlier pipeline, after the file of its profile has changed. An entry keeps its
   * memory if it is unchanged or has the same `fingerprint`. Memory files are read anyway. Runs of this pipeline wait
   * until those of the earlier pipeline have ended. Do not start runs of the earlier pipeline after this call: their
   * updates would be lost.
   */
  async continueFrom(earlier: Pipeline<T>): Promise<void> {
    const { memories } = this.#plan.units;
    if (!memories.store.any) return;
    const before = earlier.#plan.units.memories;
    const over = earlier.#queue.idle();
    const adopt = chain(awaitPromise(MEMORIES, over), () => {
      const changed = entriesThatDiffer(this.#compiled.entryTexts(), earlier.#compiled.entryTexts());
      memories.adopt(before, before.store.snapshot, changed);
    });
    await this.#queue.enqueue(() => adopt, NEVER);
  }

  /**
   * Scores one candidate. Returns its row of a ranking, or its refusal with the reason.
   *
   * @throws AssizeError if scores depend on the other candidates and `among` is missing
   */
  async score(
    candidate: T,
    context: Context = NO_CONTEXT,
    options: ScoreOptions<T> = {},
  ): Promise<Ranked<T> | Refused<T>> {
    checkOptions('score', options, SCORE_OPTIONS);
    const { candidates, index } = this.#among(candidate, options.among);
    const call = this.#call('score', candidates, context, options, false);
    const scored = this.#execute(this.#scoringPlan, call, scoreOne<T>(index));
    return (isPromise(scored) ? await scored : scored).result;
  }

  /**
   * Scores one candidate synchronously, with the limits of `rankSync`.
   *
   * @throws AssizeError as `score` and `rankSync` do
   */
  scoreSync(
    candidate: T,
    context: Context = NO_CONTEXT,
    options: Omit<ScoreOptions<T>, 'signal'> = {},
  ): Ranked<T> | Refused<T> {
    checkOptions('scoreSync', options, SCORE_OPTIONS);
    const { candidates, index } = this.#among(candidate, options.among);
    const call = this.#call('scoreSync', candidates, context, options, false);
    return this.#executeSync(SCORE, this.#scoringPlan, call, scoreOne<T>(index)).result;
  }

  /**
   * The ids of the entries whose scores depend on all candidates, or on earlier ones. If it is empty, or has only entries with
   * a memory, a stream can be scored.
   */
  get needsAll(): readonly string[] {
    return idsNeedingAll(this.#plan.profile);
  }

  /**
   * Scores a stream of candidates in constant memory.
   *
   * It is one run: the context, the time and the signals are the same for all candidates. Rows are in the order of the
   * candidates, which are read as rows are requested. There are no ranks, and `select`, `fallback` and `report` do not
   * apply.
   *
   * Memories are updated part by part: a row is returned after its candidate was stored. If the stream ends early, the
   * memories have the candidates of all rows that were returned, and possibly some of the next ones.
   *
   * @param candidates plain objects. A slow source does not delay rows: available candidates are scored immediately
   * @throws AssizeError if an entry without a memory needs all candidates (see `needsAll`); while the stream is read, as `rank` does.
   *   After an abort, the next read throws its reason
   */
  scoreStream(
    candidates: AsyncIterable<T> | Iterable<T>,
    context: Context = NO_CONTEXT,
    options: ScoreStreamOptions = {},
  ): ScoreStream<T> {
    checkOptions('scoreStream', options, SCORE_STREAM_OPTIONS);
    const [first, ...others] = entriesNeedingWhole(this.#plan.profile).map(({ id }) => id);
    if (first === undefined) {
      const plan = overridePlan(this.#scoringPlan, options);
      const { any } = plan.units.memories.store;
      const memories = any ? new StreamMemories(this.#queue, options.updateMemory ?? true) : undefined;
      return new ScoreStream<T>(plan, candidates, context, options, memories);
    }
    const subject = others.length === 0 ? `entry ${first} needs` : `entries ${[first, ...others].join(', ')} need`;
    const message = `profile ${this.name} cannot score a stream: its ${subject} all candidates at once`;
    throw toAssizeError([{ code: 'ASZ502', message, hint: 'collect the candidates and call rank' }]);
  }

  /**
   * Ranks a stream of candidates in constant memory. Retains candidates that may be selected, and counts the others.
   * Scores, order, ids and positions are those of `rank` for the same candidates.
   *
   * ```ts
   * const { selected, counts } = await pipeline.rankStream(rows, {}, { top: 10 });
   * ```
   *
   * @param candidates plain objects, read no faster than they are scored
   * @throws AssizeError as `rank` does; if the profile needs unbounded memory (ASZ518): an entry needs all candidates
   *   or has a memory, the selection has no `top`, or the profile has `select.duplicates`, `select.per`,
   *   `select.diversify`, a `fallback` or a `report`
   */
  async rankStream(
    candidates: AsyncIterable<T> | Iterable<T>,
    context: Context = NO_CONTEXT,
    options: RankStreamOptions = {},
  ): Promise<TopRanking<T>> {
    checkOptions('rankStream', options, RANK_STREAM_OPTIONS);
    return rankStream<T>(this.#plan, candidates, context, options);
  }

  /**
   * Ranks each group of rows on its own, as `rank` does: relative scores, limits, budgets and diversity stay within the
   * group. Use it for a table of many users or queries.
   *
   * ```ts
   * for await (const { group, ranking } of pipeline.rankPartitions(rows, {}, { by: 'query_id', top: 10 })) …
   * ```
   *
   * The rows of a group must be adjacent; any order of groups is accepted. A ranking is yielded as soon as its group is
   * complete. In memory are one group, one chunk of rows, and 11 to 22 bytes for each earlier group. All groups have the
   * same time (`now`), unless their contexts set another. Memories of units are updated group by group.
   *
   * @param rows    a list, an iterable or `columns`; read no faster than groups are requested
   * @param context of every group, or a function of the group's first row and its key
   * @throws AssizeError as `rank` does, with the group; if a group appears again (ASZ536)
   */
  rankPartitions(
    rows: AsyncIterable<T> | Iterable<T>,
    context: PartitionContext<T>,
    options: RankPartitionsOptions<T>,
  ): AsyncGenerator<Partition<T>, void> {
    checkOptions('rankPartitions', options, PARTITION_OPTIONS);
    return this.#partitionRanker(context, options).rank(partitionChunks(rows, options.signal ?? NEVER));
  }

  #partitionRanker(
    context: PartitionContext<T>,
    { by, ...options }: RankPartitionsOptions<T>,
    part: PartitionPart = {},
  ): Pick<PartitionRanker<T>, 'rank' | 'rankTogether'> {
    const grouping = groupingBy(by);
    const { signal: abort = NEVER, budget } = options;
    const now = part.now ?? this.#plan.clock.now();
    // Overrides are applied once: applying them compiles parts of the plan.
    const plan = { ...overridePlan(this.#plan, options), clock: { now: () => now } };
    const rank = (rows: readonly T[], own: Context): Ranking<T> | Promise<Ranking<T>> => {
      const call = this.#call('rankPartitions', rows, own, options);
      const result = this.#execute(plan, { ...call, overrides: {} }, run);
      const make = (done: CallResult<RunResult>): Ranking<T> => createRanking(this.#compiled, call, done);
      return isPromise(result) ? result.then(make) : make(result);
    };
    const batches = budget === undefined ? groupBatches(plan, context, abort) : undefined;
    return new PartitionRanker({ by: grouping, context, rank, batches, abort, part });
  }

  /** The candidates to score together with one candidate, and its position among them. */
  #among(candidate: T, among: readonly T[] | undefined): { readonly candidates: readonly T[]; readonly index: number } {
    if (this.#plan.needsSet && !among) {
      const message = `profile ${this.name} scores a candidate relative to others: pass them as { among }`;
      throw toAssizeError([{ code: 'ASZ502', message }]);
    }
    if (!among) return { candidates: [candidate], index: 0 };
    const index = among.indexOf(candidate);
    return index < 0 ? { candidates: [...among, candidate], index: among.length } : { candidates: among, index };
  }

  #call(
    method: TracedCall,
    candidates: readonly T[] | undefined,
    context: Context,
    options: RankOptions,
    prune = options.prune ?? true,
  ): RunCall {
    const {
      turns = false,
      signal = turns ? new AbortController().signal : NEVER,
      updateMemory = true,
      budget,
    } = options;
    return {
      method,
      candidates,
      context,
      abort: signal,
      updateMemory,
      budget,
      overrides: options,
      prune,
      knownSignals: NO_SIGNALS,
    };
  }

  /** Executes a call. If units have memories, calls run one after another, because each run updates them. */
  #execute<R>(
    plan: Plan,
    call: RunCall,
    work: (run: RunState) => MaybeAsync<R>,
  ): CallResult<R> | Promise<CallResult<R>> {
    const execute = (): MaybeAsync<CallResult<R>> => executeCall(plan, call, work);
    if (plan.units.memories.store.any) return this.#queue.enqueue(execute, call.abort);
    const result = execute();
    return isTask(result) ? runAsync(result) : result;
  }

  #executeSync<R>(method: SyncCall, plan: Plan, call: RunCall, work: (run: RunState) => MaybeAsync<R>): CallResult<R> {
    const { profile } = plan;
    if (!this.#checked.has(method)) checkSync(profile, method);
    this.#checked.add(method);
    if (this.#queue.isBusy) throw memoryBusy(profile, method);
    return runSync(executeCall(plan, call, work), (waiting) => requiresAsync(profile, method, waiting));
  }
}

/** How the wait for the runs of an earlier pipeline is reported. */
const MEMORIES = { entry: 'its memories', stage: 'memory' };

const RANK: SyncCall = { call: 'rankSync', instead: 'rank' };
const SCORE: SyncCall = { call: 'scoreSync', instead: 'score' };
