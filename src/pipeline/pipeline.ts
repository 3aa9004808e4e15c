import { AssizeError, type Context } from '../contract/index.js';
import { describeValue } from '../expression/describe.js';
import { RunFailed } from '../stages/plan.js';
import { NEVER, untilAborted } from '../stages/prepare.js';
import { causeOf } from '../stages/failures.js';
import { idOf } from './ids.js';
import type { Plan } from './compile.js';
import { Ranking } from './ranking.js';
import type { Ranked, Refused } from './rows.js';
import { run } from './run.js';

export interface RankOptions {
  /** Stops the run: the promise rejects with its reason. */
  readonly abort?: AbortSignal;
  /** false: a run that teaches no memory, as for a look at what would be. True when not said. */
  readonly learn?: boolean;
}

export interface ScoreOptions<T> extends RankOptions {
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
  readonly #plan: Plan;
  /** The last of the runs that share a memory: the next one waits for it. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  /** The profile's name. */
  get name(): string {
    return this.#plan.profile.name;
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
    return this.#inTurn(candidates, context, options);
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
      throw new AssizeError([{ code: 'ASZ502', message }]);
    }
    const at = among ? among.indexOf(candidate) : 0;
    const candidates = among ? (at < 0 ? [...among, candidate] : among) : [candidate];
    const index = at < 0 ? candidates.length - 1 : at;
    const ranking = await this.rank(candidates, context, options);
    const row = ranking.ranked.find((one) => one.index === index) ?? ranking.refused.find((one) => one.index === index);
    if (row) return row;
    throw new AssizeError([{ code: 'ASZ502', message: 'a pinned candidate is not scored' }]);
  }

  /** Runs that share a memory queue, so that each learns after the one that was asked before it. */
  async #inTurn(candidates: readonly T[] | undefined, context: Context, options: RankOptions): Promise<Ranking<T>> {
    const { abort = NEVER, learn = true } = options;
    if (!this.#plan.units.remembers) return this.#run(candidates, context, abort, learn);
    const turn = this.#queue.then(() => this.#run(candidates, context, abort, learn));
    this.#queue = turn.catch(() => {}); // its caller hears of the failure
    return untilAborted(turn, abort); // who waits need not wait for the turn to be told
  }

  async #run(
    candidates: readonly T[] | undefined,
    context: Context,
    abort: AbortSignal,
    learn: boolean,
  ): Promise<Ranking<T>> {
    const learnt = new Map<number, unknown>();
    try {
      if (candidates !== undefined) checkCandidates(candidates);
      else if (this.#plan.strategies.length === 0) throw nothingToRank(this.name);
      const outcome = await run(this.#plan, candidates, context, abort, learnt);
      if (learn) for (const [slot, memory] of learnt) this.#plan.units.memories.set(slot, memory);
      return new Ranking<T>(this.#plan, outcome);
    } catch (error) {
      throw error instanceof RunFailed ? this.#failed(error, candidates) : error;
    }
  }

  #failed({ entry, stage, failure, index }: RunFailed, candidates: readonly T[] | undefined): AssizeError {
    const candidate = index === undefined ? undefined : candidates?.[index];
    const about =
      candidate === undefined || index === undefined ? '' : ` on ${idOf(this.#plan.profile, candidate, index)}`;
    if (failure instanceof AssizeError) return new AssizeError(failure.problems, failure.message, { cause: failure });
    const message = `the ${stage} entry ${entry} failed${about}: ${causeOf(failure)}`;
    const place = [...this.#plan.profile.vetoes, ...this.#plan.profile.scorers].find(({ id }) => id === entry)?.place;
    const settled = stage === 'veto' || (stage === 'score' && !causeOf(failure).startsWith('its weight'));
    const hint = settled ? 'its on_error says what else should happen' : undefined;
    return new AssizeError([{ code: 'ASZ501', message, place, hint }], message, { cause: failure });
  }
}

/** An `undefined` from upstream must not look like an empty list. */
const nothingToRank = (profile: string): AssizeError =>
  new AssizeError([
    { code: 'ASZ502', message: `no candidates were given, and profile ${profile} has no strategies to make any` },
  ]);

/** A list of anything would be scored as if every field were absent: better to say what was expected. */
function checkCandidates(candidates: readonly unknown[]): void {
  if (!Array.isArray(candidates)) {
    throw new AssizeError([
      { code: 'ASZ502', message: `the candidates are ${describeValue(candidates)}; expected a list of objects` },
    ]);
  }
  for (let i = 0; i < candidates.length; i++) {
    if (typeof candidates[i] === 'object' && candidates[i] !== null) continue;
    throw new AssizeError([
      { code: 'ASZ502', message: `candidate ${i} is ${describeValue(candidates[i])}; expected an object` },
    ]);
  }
}
