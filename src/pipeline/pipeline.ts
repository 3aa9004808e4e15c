import type { Context, Problem } from '../contract/index.js';
import { failure } from '../document/failure.js';
import type { CallBudget } from '../stages/budget.js';
import { NEVER } from '../stages/limits.js';
import { atOnce, inTime, isPromise, isSteps, type Soon } from '../stages/wait.js';
import { type Answer, answer, type Call, type Work } from './call.js';
import { A_LIST, A_SIGNAL, ANY, atLeast, checkOptions, type Kinds, TRUE_OR_FALSE } from './check-options.js';
import type { Plan } from './compile/plan.js';
import { type Description, describe, needsAll, type PruningFacts, pruningFacts } from './description.js';
import type { Edition } from './edition.js';
import { type AtOnce, checkAtOnce, memoryInUse, mustWait } from './must-wait.js';
import type { RankOptions, ScoreOptions } from './rank-options.js';
import type { Ranking } from './ranking.js';
import type { Ranked, Refused } from './rows.js';
import { run } from './run.js';
import { scoreOne } from './score-one.js';
import { ScoreStream } from './score-stream.js';
import { noContext, noSignals } from './state.js';
import { type RankStreamOptions, rankStream } from './stream/rank-stream.js';
import type { TopRanking } from './stream/top-ranking.js';
import { Turns } from './turns.js';
import { rankingOf } from './what-if.js';

/** A profile compiled: immutable, and run as often as you like, also at the same time. */
export class Pipeline<T = unknown> {
  readonly #edition: Edition;
  readonly #plan: Plan;
  readonly #turns = new Turns();
  /** The calls that nothing in the profile surely has wait. */
  readonly #never = new Set<AtOnce>();

  /**
   * What is legal in the profile and surely a mistake, each with its place and what to do: a weight of 0, a key that has
   * no effect, a phase that is never reached. What only a run can tell is in the ranking's `warnings`.
   */
  readonly warnings: readonly Problem[];

  constructor(edition: Edition) {
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
  describe(): Description {
    return describe(this.#plan.profile);
  }

  /**
   * Which scorers a ranking asks only about candidates that can still be selected, or why none is. What is selected is the
   * same; who was spared what is in the ranking's `spared`.
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
  async rank(candidates?: readonly T[], context: Context = noContext, options: RankOptions = {}): Promise<Ranking<T>> {
    checkOptions('rank', options, RANK_OPTIONS);
    const call = this.#call(candidates, context, options);
    const answered = this.#inTurn(call, run);
    return rankingOf(this.#edition, call, isPromise(answered) ? await answered : answered);
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
    context: Context = noContext,
    options: Omit<RankOptions, 'abort'> = {},
  ): Ranking<T> {
    checkOptions('rankSync', options, RANK_OPTIONS);
    const call = this.#call(candidates, context, options);
    return rankingOf(this.#edition, call, this.#atOnce(RANK, call, run));
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
    context: Context = noContext,
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
    context: Context = noContext,
    options: ScoreOptions<T> = {},
  ): Promise<Ranked<T> | Refused<T>> {
    checkOptions('score', options, SCORE_OPTIONS);
    const { candidates, index } = this.#among(candidate, options.among);
    const answered = this.#inTurn(this.#call(candidates, context, options), scoreOne<T>(index));
    return (isPromise(answered) ? await answered : answered).outcome;
  }

  /**
   * Scores one candidate at once, without a promise, as `rankSync` ranks.
   *
   * @throws AssizeError as `score` and `rankSync` do
   */
  scoreSync(
    candidate: T,
    context: Context = noContext,
    options: Omit<ScoreOptions<T>, 'abort'> = {},
  ): Ranked<T> | Refused<T> {
    checkOptions('scoreSync', options, SCORE_OPTIONS);
    const { candidates, index } = this.#among(candidate, options.among);
    return this.#atOnce(SCORE, this.#call(candidates, context, options), scoreOne<T>(index)).outcome;
  }

  /** The ids of the entries that need all candidates at once. Where there is none, candidates can be scored as a stream. */
  get needsAll(): readonly string[] {
    return needsAll(this.#plan.profile);
  }

  /**
   * Scores a stream of candidates one by one, in memory that does not grow with their number.
   *
   * It is one run: the context, the time and the signals are the same for all. Its rows come in the order of the
   * candidates, and the next candidates are read when they are asked for. What concerns the candidates as a set is
   * left out: ranks, `select`, `fallback` and `report`.
   *
   * @param candidates plain objects, however many; a slow source is not waited for before what it gave is scored
   * @throws AssizeError when an entry needs all candidates at once (see `needsAll`); while it is read, as `rank` does
   */
  scoreStream(
    candidates: AsyncIterable<T> | Iterable<T>,
    context: Context = noContext,
    options: Pick<RankOptions, 'abort'> = {},
  ): ScoreStream<T> {
    checkOptions('scoreStream', options, { abort: A_SIGNAL });
    const { abort = NEVER } = options;
    const [first, ...others] = this.needsAll;
    if (first === undefined) return new ScoreStream<T>(this.#plan, candidates, context, abort);
    const who = others.length === 0 ? `entry ${first} needs` : `entries ${[first, ...others].join(', ')} need`;
    const message = `profile ${this.name} cannot score a stream: its ${who} all candidates at once`;
    throw failure([{ code: 'ASZ502', message, hint: 'collect them, and rank them' }]);
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
    context: Context = noContext,
    options: RankStreamOptions = {},
  ): Promise<TopRanking<T>> {
    checkOptions('rankStream', options, STREAM_OPTIONS);
    return rankStream<T>(this.#plan, candidates, context, options);
  }

  /** A candidate among others, or alone. */
  #among(candidate: T, among: readonly T[] | undefined): { readonly candidates: readonly T[]; readonly index: number } {
    if (this.#plan.needsSet && !among) {
      const message = `profile ${this.name} scores a candidate among others: give them as { among }`;
      throw failure([{ code: 'ASZ502', message }]);
    }
    if (!among) return { candidates: [candidate], index: 0 };
    const index = among.indexOf(candidate);
    return index < 0 ? { candidates: [...among, candidate], index: among.length } : { candidates: among, index };
  }

  /** What one call is of. */
  #call(
    candidates: readonly T[] | undefined,
    context: Context,
    { abort = NEVER, learn = true, budget, spare = true }: RankOptions,
  ): Call {
    return { candidates, context, abort, learn, budget, spare, known: noSignals };
  }

  #inTurn<R>(call: Call, work: Work<R>): Answer<R> | Promise<Answer<R>> {
    const answering = (): Soon<Answer<R>> => answer(this.#plan, call, work);
    if (this.#plan.units.remembering.memories.any) return this.#turns.next(answering, call.abort);
    const soon = answering();
    return isSteps(soon) ? inTime(soon) : soon;
  }

  #atOnce<R>(how: AtOnce, call: Call, work: Work<R>): Answer<R> {
    const { profile } = this.#plan;
    if (!this.#never.has(how)) checkAtOnce(profile, how);
    this.#never.add(how);
    if (this.#turns.taken) throw memoryInUse(profile, how);
    return atOnce(answer(this.#plan, call, work), (waiting) => mustWait(profile, how, waiting));
  }
}

const RANK: AtOnce = { call: 'rankSync', instead: 'rank' };
const SCORE: AtOnce = { call: 'scoreSync', instead: 'score' };

const RANK_OPTIONS: Kinds = { abort: A_SIGNAL, learn: TRUE_OR_FALSE, budget: ANY, spare: TRUE_OR_FALSE };
const SCORE_OPTIONS: Kinds = { abort: A_SIGNAL, learn: TRUE_OR_FALSE, among: A_LIST };
const STREAM_OPTIONS: Kinds = { top: atLeast(0), budget: ANY, abort: A_SIGNAL };
