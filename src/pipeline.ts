import type { Context } from './contract/index.js';
import {
  ABORT_SIGNAL,
  ANYTHING,
  BOOLEAN,
  checkOptions,
  integerFrom,
  LIST,
  type OptionTypes,
  type Problem,
  toAssizeError,
} from './diagnostics/index.js';
import {
  type CallBudget,
  type CallResult,
  checkSync,
  type CompiledProfile,
  executeCall,
  isPromise,
  isTask,
  type MaybeAsync,
  memoryBusy,
  NEVER,
  NO_CONTEXT,
  NO_SIGNALS,
  type Plan,
  requiresAsync,
  run,
  runAsync,
  type RunCall,
  RunQueue,
  type RunState,
  runSync,
  type SyncCall,
} from './engine/index.js';
import {
  describeProfile,
  idsNeedingAll,
  type ProfileDescription,
  type PruningFacts,
  pruningFacts,
} from './profile/index.js';
import {
  createRanking,
  type Ranked,
  type Ranking,
  type RankOptions,
  type Refused,
  scoreOne,
  type ScoreOptions,
} from './ranking/index.js';
import { rankStream, type RankStreamOptions, ScoreStream, type TopRanking } from './stream/index.js';

/** A profile compiled: immutable, and run as often as you like, also at the same time. */
export class Pipeline<T = unknown> {
  readonly #edition: CompiledProfile;
  readonly #plan: Plan;
  readonly #turns = new RunQueue();
  /** The calls that nothing in the profile surely has wait. */
  readonly #never = new Set<SyncCall>();

  /**
   * What is legal in the profile and surely a mistake, each with its place and what to do: a weight of 0, a key that has
   * no effect, a phase that is never reached. What only a run can tell is in the ranking's `warnings`.
   */
  readonly warnings: readonly Problem[];

  constructor(edition: CompiledProfile) {
    this.#edition = edition;
    this.#plan = edition.plan;
    this.warnings = Object.freeze([...edition.warnings]);
  }

  /** The profile's name. */
  get name(): string {
    return this.#plan.profile.name;
  }

  /** Whether the profile packs: then a ranking has a budget. */
  get packs(): boolean {
    return this.#plan.pack !== undefined;
  }

  /** What the profile has, by id. */
  describe(): ProfileDescription {
    return describeProfile(this.#plan.profile);
  }

  /**
   * Which scorers a ranking asks only about candidates that can still be selected, or why none is. What is selected is the
   * same; the candidates that a scorer was not asked about are in the ranking's `pruned`.
   */
  get pruning(): PruningFacts {
    return pruningFacts(this.#plan.profile);
  }

  /**
   * Ranks candidates.
   *
   * @param candidates plain objects, which are not written to; left out, the profile's strategies make them
   * @param context    what is known about this request; `now` (milliseconds, ISO 8601 or a Date) is the time of the run
   * @throws AssizeError when an entry whose rule says `fail` fails, or the context is not what the profile declares
   */
  async rank(candidates?: readonly T[], context: Context = NO_CONTEXT, options: RankOptions = {}): Promise<Ranking<T>> {
    checkOptions('rank', options, RANK_OPTIONS);
    const call = this.#call(candidates, context, options, options.prune ?? true);
    const answered = this.#inTurn(call, run);
    return createRanking(this.#edition, call, isPromise(answered) ? await answered : answered);
  }

  /**
   * Ranks candidates at once, without a promise: for a profile in which nothing has to wait. What a model, a file or a
   * service says has to be waited for: a unit whose `prepare` gives a promise, or a memory that lives in a file.
   *
   * ```ts
   * const { selected } = pipeline.rankSync(repositories);
   * ```
   *
   * It is the run that `rank` makes, and gives the same; a time-out or `abort` cannot come between. What surely waits is
   * found before anything has run; what waits only now and then, when it does: the run is then left as if it had not
   * been, though what a unit has begun goes on without it.
   *
   * @throws AssizeError as `rank` does; where an entry waits, naming it and its place (ASZ516); and where a run is under
   *   way that teaches a memory which this one would begin with (ASZ517)
   */
  rankSync(
    candidates?: readonly T[],
    context: Context = NO_CONTEXT,
    options: Omit<RankOptions, 'abort'> = {},
  ): Ranking<T> {
    checkOptions('rankSync', options, RANK_OPTIONS);
    const call = this.#call(candidates, context, options, options.prune ?? true);
    return createRanking(this.#edition, call, this.#atOnce(RANK, call, run));
  }

  /**
   * Ranks candidates and packs the best that fit into a budget: `rank` with a budget of its own.
   *
   * @param budget what may be spent, in the unit of the profile's `select.pack.cost`: one number is target and max
   * @returns the ranking: `selected` is what goes in, in order, `leftOut` what stays out and why, `budget` the numbers
   * @throws AssizeError as `rank` does, and when the profile packs nothing or the pinned don't fit
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
   * Scores one candidate: its row of a ranking, or why it was refused.
   *
   * @throws AssizeError when the profile's scores depend on the other candidates and `among` doesn't give them
   */
  async score(
    candidate: T,
    context: Context = NO_CONTEXT,
    options: ScoreOptions<T> = {},
  ): Promise<Ranked<T> | Refused<T>> {
    checkOptions('score', options, SCORE_OPTIONS);
    const { candidates, index } = this.#among(candidate, options.among);
    const answered = this.#inTurn(this.#call(candidates, context, options, false), scoreOne<T>(index));
    return (isPromise(answered) ? await answered : answered).result;
  }

  /**
   * Scores one candidate at once, without a promise, as `rankSync` ranks.
   *
   * @throws AssizeError as `score` and `rankSync` do
   */
  scoreSync(
    candidate: T,
    context: Context = NO_CONTEXT,
    options: Omit<ScoreOptions<T>, 'abort'> = {},
  ): Ranked<T> | Refused<T> {
    checkOptions('scoreSync', options, SCORE_OPTIONS);
    const { candidates, index } = this.#among(candidate, options.among);
    return this.#atOnce(SCORE, this.#call(candidates, context, options, false), scoreOne<T>(index)).result;
  }

  /** The ids of the entries that need all candidates at once. Where there is none, candidates can be scored as a stream. */
  get needsAll(): readonly string[] {
    return idsNeedingAll(this.#plan.profile);
  }

  /**
   * Scores a stream of candidates one by one, in memory that does not grow with their number.
   *
   * It is one run: the context, the time and the signals are the same for all. Its rows come in the order of the
   * candidates, and the next candidates are read when they are asked for. What concerns the candidates as a set is
   * left out: ranks, `select`, `fallback` and `report`.
   *
   * @param candidates plain objects, however many; a slow source is not waited for before what it gave is scored
   * @throws AssizeError when an entry needs all candidates at once (see `idsNeedingAll`); while it is read, as `rank` does
   */
  scoreStream(
    candidates: AsyncIterable<T> | Iterable<T>,
    context: Context = NO_CONTEXT,
    options: Pick<RankOptions, 'abort'> = {},
  ): ScoreStream<T> {
    checkOptions('scoreStream', options, { abort: ABORT_SIGNAL });
    const { abort = NEVER } = options;
    const [first, ...others] = this.needsAll;
    if (first === undefined) return new ScoreStream<T>(this.#plan, candidates, context, abort);
    const who = others.length === 0 ? `entry ${first} needs` : `entries ${[first, ...others].join(', ')} need`;
    const message = `profile ${this.name} cannot score a stream: its ${who} all candidates at once`;
    throw toAssizeError([{ code: 'ASZ502', message, hint: 'collect them, and rank them' }]);
  }

  /**
   * Ranks a stream of candidates in memory that does not grow with their number: it holds those that may be selected,
   * and counts the others. Scores, order, ids and positions are those that `rank` gives for the same candidates.
   *
   * ```ts
   * const { selected, counts } = await pipeline.rankStream(rows, {}, { top: 10 });
   * ```
   *
   * @param candidates plain objects, however many, read no faster than they are judged
   * @throws AssizeError as `rank` does, and where the profile cannot do with that (ASZ518): an entry needs all
   *   candidates at once or remembers what it saw, nothing bounds what is selected, or there are `duplicates`, a
   *   `fallback` or a `report`
   */
  async rankStream(
    candidates: AsyncIterable<T> | Iterable<T>,
    context: Context = NO_CONTEXT,
    options: RankStreamOptions = {},
  ): Promise<TopRanking<T>> {
    checkOptions('rankStream', options, STREAM_OPTIONS);
    return rankStream<T>(this.#plan, candidates, context, options);
  }

  /** A candidate among others, or alone. */
  #among(candidate: T, among: readonly T[] | undefined): { readonly candidates: readonly T[]; readonly index: number } {
    if (this.#plan.needsSet && !among) {
      const message = `profile ${this.name} scores a candidate among others: give them as { among }`;
      throw toAssizeError([{ code: 'ASZ502', message }]);
    }
    if (!among) return { candidates: [candidate], index: 0 };
    const index = among.indexOf(candidate);
    return index < 0 ? { candidates: [...among, candidate], index: among.length } : { candidates: among, index };
  }

  #call(
    candidates: readonly T[] | undefined,
    context: Context,
    { abort = NEVER, learn = true, budget }: RankOptions,
    prune: boolean,
  ): RunCall {
    return { candidates, context, abort, learn, budget, prune, knownSignals: NO_SIGNALS };
  }

  #inTurn<R>(call: RunCall, work: (run: RunState) => MaybeAsync<R>): CallResult<R> | Promise<CallResult<R>> {
    const answering = (): MaybeAsync<CallResult<R>> => executeCall(this.#plan, call, work);
    if (this.#plan.units.memories.store.any) return this.#turns.enqueue(answering, call.abort);
    const soon = answering();
    return isTask(soon) ? runAsync(soon) : soon;
  }

  #atOnce<R>(how: SyncCall, call: RunCall, work: (run: RunState) => MaybeAsync<R>): CallResult<R> {
    const { profile } = this.#plan;
    if (!this.#never.has(how)) checkSync(profile, how);
    this.#never.add(how);
    if (this.#turns.isBusy) throw memoryBusy(profile, how);
    return runSync(executeCall(this.#plan, call, work), (waiting) => requiresAsync(profile, how, waiting));
  }
}

const RANK: SyncCall = { call: 'rankSync', instead: 'rank' };
const SCORE: SyncCall = { call: 'scoreSync', instead: 'score' };

const RANK_OPTIONS: OptionTypes = { abort: ABORT_SIGNAL, learn: BOOLEAN, budget: ANYTHING, prune: BOOLEAN };
const SCORE_OPTIONS: OptionTypes = { abort: ABORT_SIGNAL, learn: BOOLEAN, among: LIST };
const STREAM_OPTIONS: OptionTypes = { top: integerFrom(0), budget: ANYTHING, abort: ABORT_SIGNAL };
