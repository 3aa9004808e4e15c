import { AssizeError, type Context, type Problem, type Signals } from '../contract/index.js';
import { failure } from '../document/failure.js';
import { describeValue } from '../expression/describe.js';
import { type Change, touched } from '../profile/amend.js';
import type { CallBudget } from '../stages/budget.js';
import { RunFailed } from '../stages/plan.js';
import { NEVER, untilAborted } from '../stages/prepare.js';
import type { Plan } from './compile.js';
import type { Edition } from './edition.js';
import { checkCandidates } from './check-candidates.js';
import { Ranking } from './ranking.js';
import type { Ranked, Refused } from './rows.js';
import { type Outcome, run } from './run.js';
import { runFailure } from './run-failure.js';
import { ScoreStream } from './score-stream.js';
import { noSignals } from './state.js';
import { needAll } from './stream/bound.js';
import { rankStream, type RankStreamOptions } from './stream/rank-stream.js';
import type { TopRanking } from './stream/top-ranking.js';

/** What a run may be told besides its candidates and its context. */
export interface RankOptions {
  /** Stops the run: the promise rejects with its reason. */
  readonly abort?: AbortSignal;
  /** false: a run that teaches no memory, as for a look at what would be. True when not said. */
  readonly learn?: boolean;
  /** What a profile that packs may spend, in place of its own target and max: one number is both. */
  readonly budget?: CallBudget | undefined;
}

/** The same for one candidate. */
export interface ScoreOptions<T> extends Omit<RankOptions, 'budget'> {
  /** The other candidates, for a profile whose scores depend on them. */
  readonly among?: readonly T[];
}

/** What a profile has: the ids of each kind, in the order in which a run comes to them. */
export interface Description {
  readonly signals: readonly string[];
  readonly strategies: readonly string[];
  readonly vetoes: readonly string[];
  readonly measures: readonly string[];
  readonly scorers: readonly string[];
  readonly rules: readonly string[];
  readonly reports: readonly string[];
}

const idsOf = (entries: readonly { readonly id: string }[]): readonly string[] => entries.map(({ id }) => id);

/** A profile compiled: immutable, and run as often as you like, also at the same time. */
export class Pipeline<T = unknown> {
  readonly #edition: Edition;
  readonly #plan: Plan;
  /** The last of the runs that share a memory: the next one waits for it. */
  #queue: Promise<unknown> = Promise.resolve();

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
    const { signals, strategies, vetoes, measures, scorers, adjustments, reports } = this.#plan.profile;
    return {
      signals: idsOf(signals),
      strategies: idsOf(strategies),
      vetoes: idsOf(vetoes),
      measures: idsOf(measures),
      scorers: idsOf(scorers),
      rules: idsOf(adjustments),
      reports: idsOf(reports),
    };
  }

  /**
   * Ranks candidates.
   *
   * @param candidates plain objects, which are not written to; left out, the profile's strategies make them
   * @param context    what is known about this request; `now` (milliseconds, ISO 8601 or a Date) is the time of the run
   * @throws AssizeError when an entry whose rule says `fail` fails, or the context is not what the profile declares
   */
  rank(candidates?: readonly T[], context: Context = {}, options: RankOptions = {}): Promise<Ranking<T>> {
    return this.#inTurn(candidates, context, options, options.budget);
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
    context: Context = {},
    options: Omit<RankOptions, 'budget'> = {},
  ): Promise<Ranking<T>> {
    return this.rank(candidates, context, { ...options, budget });
  }

  /**
   * Scores one candidate: its row of a ranking, or why it was refused.
   *
   * @throws AssizeError when the profile's scores depend on the other candidates and `among` doesn't give them
   */
  async score(candidate: T, context: Context = {}, options: ScoreOptions<T> = {}): Promise<Ranked<T> | Refused<T>> {
    const { among } = options;
    if (this.#plan.needsSet && !among) {
      const message = `profile ${this.name} scores a candidate among others: give them as { among }`;
      throw failure([{ code: 'ASZ502', message }]);
    }
    const at = among ? among.indexOf(candidate) : 0;
    const candidates = among ? (at < 0 ? [...among, candidate] : among) : [candidate];
    const index = at < 0 ? candidates.length - 1 : at;
    const ranking = await this.#inTurn(candidates, context, options, 'unpacked');
    const row = ranking.ranked.find((one) => one.index === index) ?? ranking.refused.find((one) => one.index === index);
    if (row) return row;
    throw failure([{ code: 'ASZ502', message: 'a pinned candidate is not scored' }]);
  }

  /** The ids of the entries that need all candidates at once. Where there is none, candidates can be scored as a stream. */
  get needsAll(): readonly string[] {
    return idsOf(needAll(this.#plan.profile));
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
    context: Context = {},
    { abort = NEVER }: Pick<RankOptions, 'abort'> = {},
  ): ScoreStream<T> {
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
  rankStream(
    candidates: AsyncIterable<T> | Iterable<T>,
    context: Context = {},
    options: RankStreamOptions = {},
  ): Promise<TopRanking<T>> {
    return rankStream<T>(this.#plan, candidates, context, options);
  }

  /** Runs that share a memory queue, so that each learns after the one that was asked before it. */
  async #inTurn(
    candidates: readonly T[] | undefined,
    context: Context,
    { abort = NEVER, learn = true }: RankOptions,
    budget: CallBudget | 'unpacked' | undefined,
  ): Promise<Ranking<T>> {
    if (!this.#plan.units.memories.any) return this.#run(candidates, context, abort, learn, budget);
    const turn = this.#queue.then(() => this.#run(candidates, context, abort, learn, budget));
    this.#queue = turn.catch(() => {}); // its caller hears of the failure
    return untilAborted(turn, abort); // who waits need not wait for the turn to be told
  }

  async #run(
    candidates: readonly T[] | undefined,
    context: Context,
    abort: AbortSignal,
    learn: boolean,
    budget: CallBudget | 'unpacked' | undefined,
    known: Signals = noSignals,
  ): Promise<Ranking<T>> {
    const learnt = new Map<number, unknown>();
    const { memories } = this.#plan.units;
    try {
      if (candidates !== undefined) checkGiven(candidates);
      else if (this.#plan.strategies.length === 0) throw nothingToRank(this.name);
      if (memories.lasting) await memories.refresh(learn);
      const seen = memories.held(); // as this run sees them
      const outcome = await run(this.#plan, candidates, context, abort, learnt, budget, known);
      if (learn && learnt.size > 0) {
        abort.throwIfAborted(); // what is stopped learns nothing; what is being written is no longer stopped
        await memories.keep(learnt);
      }
      const again = (change: Change): Promise<Ranking<T>> => this.#otherwise(change, candidates, outcome, seen, budget);
      return new Ranking<T>(this.#plan, outcome, again);
    } catch (error) {
      throw error instanceof RunFailed ? runFailure(this.#plan.profile, error, candidates) : error;
    }
  }

  /** The run once more with a change: of the same candidates, at the same time, with the memories that it saw. */
  #otherwise(
    change: Change,
    candidates: readonly T[] | undefined,
    { state }: Outcome,
    memories: ReadonlyMap<number, unknown>,
    budget: CallBudget | 'unpacked' | undefined,
  ): Promise<Ranking<T>> {
    const edition = this.#edition.amend(change);
    const ids = touched(change);
    edition.plan.units.adopt(this.#plan.units, memories, ids);
    const { now, context, signals } = state;
    // One that comes after a changed signal may have read it.
    const inOrder = this.#plan.signals.map(({ id }) => id);
    const changed = inOrder.findIndex((id) => ids.has(id));
    const same = changed < 0 ? inOrder : inOrder.slice(0, changed);
    const known = Object.fromEntries(same.filter((id) => id in signals).map((id) => [id, signals[id]]));
    return new Pipeline<T>(edition).#run(candidates, { ...context, now }, NEVER, false, budget, known);
  }
}

/** An `undefined` from upstream must not look like an empty list. */
const nothingToRank = (profile: string): AssizeError =>
  failure([
    { code: 'ASZ502', message: `no candidates were given, and profile ${profile} has no strategies to make any` },
  ]);

/** What was given is a list, and one of objects. */
function checkGiven(candidates: readonly unknown[]): void {
  if (!Array.isArray(candidates)) {
    throw failure([
      { code: 'ASZ502', message: `the candidates are ${describeValue(candidates)}; expected a list of objects` },
    ]);
  }
  checkCandidates(candidates);
}
