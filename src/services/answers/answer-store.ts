import { AssizeError } from '../../base/index.js';
import { type ServiceToken, serviceToken } from '../../sdk/index.js';

/** A limit of the calls in each minute, hour or day (UTC), for all runs that share a store. */
export interface CallBudget {
  readonly per: 'minute' | 'hour' | 'day';
  /** The maximum number of calls; undefined for no limit. */
  readonly calls: number | undefined;
  /** The maximum cost of the calls; undefined for no limit. */
  readonly spend: number | undefined;
}

/** Answers of models, kept between runs. Each method may return a promise. */
export interface AnswerStore {
  /** The answer to a question; undefined if it is unknown. Its reader checks it: a file may contain anything. */
  get(key: string): unknown;
  /** @param most the maximum number of answers to keep */
  set(key: string, answer: unknown, most: number): void | Promise<void>;
  /**
   * Counts a call before it is made.
   *
   * @returns whether the budget has it left. If not, it is not counted
   */
  take(budget: CallBudget, price: number): boolean | Promise<boolean>;
  /** By key: the questions that a run is asking. The promise never rejects; undefined if that run gave up. */
  readonly pending: Map<string, Promise<unknown>>;
}

/** Opens the stores of folders. */
export interface AnswerFolders {
  /** Returns the same store for the same folder. */
  open(folder: string): AnswerStore;
}

/** The token for units that keep answers in a folder. */
export const ANSWER_FOLDERS: ServiceToken<AnswerFolders> = serviceToken<AnswerFolders>('answer-folders');

/** Answers in memory. The least recently used are evicted first. */
export class AnswerCache<A = unknown> implements AnswerStore {
  readonly pending = new Map<string, Promise<unknown>>();
  readonly #answers = new Map<string, A>();
  /** By period, the last used one last. Two of them, because a clock may be set back over the end of a period. */
  readonly #counted = new Map<string, CountedCalls>();

  get(question: string): A | undefined {
    const answer = this.#answers.get(question);
    if (answer === undefined) return undefined;
    this.#answers.delete(question);
    this.#answers.set(question, answer);
    return answer;
  }

  /** @param most the maximum number of cached answers */
  set(question: string, answer: A, most: number): void {
    this.#answers.delete(question);
    this.#answers.set(question, answer);
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= most) return;
      this.#answers.delete(oldest);
    }
  }

  take(budget: CallBudget, price: number): boolean {
    const period = periodOf(budget.per, Date.now());
    const calls = this.#counted.get(period) ?? new CountedCalls();
    this.#counted.delete(period);
    this.#counted.set(period, calls);
    for (const earlier of this.#counted.keys()) if (this.#counted.size > 2) this.#counted.delete(earlier);
    const fits = calls.fits(budget, price);
    if (fits) calls.add(price);
    return fits;
  }
}

/** On a platform without files. */
export const noAnswerFolders: AnswerFolders = {
  open: (folder) => {
    throw new AssizeError([{ code: 'ASZ111', message: `the folder ${folder} cannot be opened here: it needs Node` }]);
  },
};

/** The length of an ISO time that names its period, such as `2026-06-01T09` for an hour. */
const NAME_LENGTH = { day: 10, hour: 13, minute: 16 } as const;

/** The name of the period that contains a time. The names of later periods are greater. */
export const periodOf = (per: CallBudget['per'], at: number): string => {
  return new Date(at).toISOString().slice(0, NAME_LENGTH[per]).replace(':', '-');
};

/** The calls that were counted in one period. */
export class CountedCalls {
  #calls = 0;
  #spent = 0;

  /** Whether a further call is within a budget. Tolerates rounding: three times 0.1 is a little more than 0.3. */
  fits({ calls, spend }: CallBudget, price: number): boolean {
    if (calls !== undefined && this.#calls >= calls) return false;
    return spend === undefined || this.#spent + price <= spend * (1 + 4 * Number.EPSILON);
  }

  add(price: number): void {
    this.#calls += 1;
    this.#spent += price;
  }
}
