import {
  AnswerCache,
  type AnswerFolders,
  type AnswerStore,
  type Context,
  duration,
  EndpointError,
  filePath,
  type Retry,
  timerMs,
  z,
} from '../../src/unit-sdk.js';

const budgetSchema = z
  .strictObject({
    per: z.literal(['minute', 'hour', 'day']).describe('The period, in UTC.'),
    calls: z.int().min(0).optional().describe('The maximum number of calls in a period, including retries.'),
    spend: z.number().min(0).optional().describe('With price: the maximum total cost of the calls in a period.'),
  })
  .refine(({ calls, spend }) => calls !== undefined || spend !== undefined, 'expected calls, spend, or both');

/** The params that control how a unit calls a model: retries, concurrency, and price. */
export const askingParams = {
  parallel: z.int().min(1).max(64).default(4).describe('The maximum number of concurrent calls.'),
  retries: z
    .int()
    .min(0)
    .max(10)
    .default(2)
    .describe('The number of retries of a call without an answer. Each retry counts as a call.'),
  backoff: duration('250ms').describe(
    'The wait before the first retry without a Retry-After header. It doubles with each retry.',
  ),
  calls: z.int().min(0).default(100).describe('The maximum number of calls in one run, including retries.'),
  price: z.number().min(0).default(0).describe('The price of one call, in any currency.'),
  spend: z.number().min(0).optional().describe('With price: the maximum total cost of the calls in one run.'),
  budget: budgetSchema
    .optional()
    .describe('A limit for all runs together: of the entry, or with cache_folder of all that share the folder.'),
  cache: z.int().min(0).default(10_000).describe('The number of cached answers. 0 disables the cache.'),
  cache_folder: filePath()
    .optional()
    .describe('A folder, relative to the profile, that keeps the answers and the counts of budget between processes.'),
};

type AskingParams = z.output<z.ZodObject<typeof askingParams>>;

/** Counts the calls of one run against their limit. */
export class CallLimit {
  /** The maximum number of calls. */
  readonly most: number;
  #made = 0;
  #hasAnswers = false;

  constructor(private readonly params: Pick<AskingParams, 'calls' | 'price' | 'spend'>) {
    const { calls, price, spend } = params;
    this.most = spend === undefined || price === 0 ? calls : Math.min(calls, callsFor(spend, price));
  }

  /** @throws EndpointError (ASZ610) if no call is left */
  take(): void {
    if (this.#made >= this.most)
      throw new EndpointError('ASZ610', `the ${this.most} calls of the run are used up (${this.source})`);
    this.#made += 1;
  }

  /** The params that set the limit, for messages. */
  get source(): string {
    const { calls, price, spend } = this.params;
    return this.most < calls ? `spend: ${spend}, at ${price} a call` : `calls: ${calls}`;
  }

  /**
   * The error of the entry: the first failure if no part of the run has had an answer. Otherwise only the candidates
   * without an answer fail, and the others keep theirs.
   */
  failureOf(answers: ReadonlyMap<string, unknown>): Error | undefined {
    const all = [...answers.values()];
    this.#hasAnswers ||= all.some((one) => !(one instanceof Error));
    return this.#hasAnswers ? undefined : all.find((one) => one instanceof Error);
  }
}

/** The number of calls that an amount pays for. Tolerates rounding: 0.3 / 0.1 is a little less than 3. */
const callsFor = (spend: number, price: number): number => Math.floor((spend / price) * (1 + 2 * Number.EPSILON));

/** What a unit keeps between its runs. */
export class AskingState {
  /** A run that works in parts has one context. */
  readonly #limits = new WeakMap<Context, CallLimit>();
  readonly #cache = new AnswerCache();

  constructor(private readonly folders: AnswerFolders) {}

  limitOf(context: Context, params: AskingParams): CallLimit {
    const limit = this.#limits.get(context) ?? new CallLimit(params);
    this.#limits.set(context, limit);
    return limit;
  }

  storeOf({ cache_folder: folder }: AskingParams): AnswerStore {
    return folder === undefined ? this.#cache : this.folders.open(folder);
  }
}

/** Whether later calls may succeed after a failure. */
export interface FailureOutlook {
  /** Set if the same call may succeed later. */
  readonly retry?: Retry | undefined;
  /** Whether every other call will fail in the same way. */
  readonly isFinal: boolean;
}

/** How questions are sent: the size of a call and the number of concurrent calls. */
export interface Asking<A> {
  readonly params: AskingParams;
  /** The maximum number of questions in one call. */
  readonly batch: number;
  readonly limit: CallLimit;
  readonly store: AnswerStore;
  /** Reads an answer of the store; undefined if it is malformed. */
  readonly parse: (stored: unknown) => A | undefined;
  /** Everything besides the question that an answer depends on; part of the cache key. */
  readonly about: string;
  readonly abort: AbortSignal;
  /** The longest wait that is accepted from an endpoint. */
  readonly patience: number;
  /** Whether later calls may succeed after a failure. */
  readonly outlookOf: (failure: Error) => FailureOutlook;
  /** One call: the answers in the order of the questions, undefined for a question without one. */
  call(questions: readonly string[]): Promise<readonly (A | undefined)[]>;
}

/**
 * Asks each question once. Cached questions are not sent, and a question that another run is asking is not sent again. A
 * question without an answer gets an error. Only an abort rejects.
 *
 * @param onAnswers receives the answers so far each time there are new ones. After an abort it is not called; later
 * answers only go into the cache
 */
export async function askAll<A>(
  questions: Iterable<string>,
  asking: Asking<A>,
  onAnswers: (answers: ReadonlyMap<string, A | Error>) => void = () => {},
): Promise<ReadonlyMap<string, A | Error>> {
  const { params, batch, store, about, abort, parse } = asking;
  const answers = new Map<string, A | Error>();
  const keyOf = (question: string): string => JSON.stringify([about, question]);
  const endpoint = new Calls(asking);
  const open = [...new Set(questions)];
  const askOpen = async (claims: Claims): Promise<void> => {
    const mine: string[] = [];
    const elsewhere: [question: string, answer: Promise<unknown>][] = [];
    for (const question of open.splice(0)) {
      const known = params.cache === 0 ? undefined : parse(await store.get(keyOf(question)));
      abort.throwIfAborted();
      if (known !== undefined) answers.set(question, known);
      else {
        // In the same turn as the look-up: until it is in the store, an answer is pending.
        const pending = claims.add(question);
        if (pending) elsewhere.push([question, pending]);
        else mine.push(question);
      }
    }
    if (answers.size > 0) onAnswers(answers);
    const work = async (): Promise<void> => {
      while (mine.length > 0) {
        const asked = mine.splice(0, batch);
        const given = await endpoint.call(asked);
        for (const [k, question] of asked.entries()) {
          const answer = given instanceof Error ? given : (given[k] ?? noAnswer());
          if (!(answer instanceof Error) && params.cache > 0) await store.set(keyOf(question), answer, params.cache);
          claims.settle(question, answer);
          if (!abort.aborted) answers.set(question, answer);
        }
        abort.throwIfAborted();
        onAnswers(answers);
      }
    };
    const wait = async ([question, pending]: (typeof elsewhere)[number]): Promise<void> => {
      const given = await Promise.race([pending, claims.stopped]);
      abort.throwIfAborted();
      const answer = given instanceof Error ? given : parse(given);
      if (answer === undefined) open.push(question);
      else {
        answers.set(question, answer);
        onAnswers(answers);
      }
    };
    await Promise.all([...Array.from({ length: params.parallel }, work), ...elsewhere.map(wait)]);
  };
  while (open.length > 0) {
    const claims = new Claims(store, keyOf);
    // oxlint-disable-next-line no-await-in-loop -- a run that it waited for gave up
    await claims.within(abort, askOpen(claims));
  }
  return answers;
}

/** The questions that a run is asking, so that other runs wait for its answers. */
class Claims {
  readonly #settlers = new Map<string, (answer: unknown) => void>();
  #stop = (): void => {};
  /** Resolves when the run is aborted or has ended. One promise, because each listener of a signal costs. */
  readonly stopped = new Promise<undefined>((resolve) => void (this.#stop = () => resolve(undefined)));

  constructor(
    private readonly store: AnswerStore,
    private readonly keyOf: (question: string) => string,
  ) {}

  /** @returns the answer of another run that is asking the question; undefined if it is now claimed */
  add(question: string): Promise<unknown> | undefined {
    const key = this.keyOf(question);
    const pending = this.store.pending.get(key);
    if (pending) return pending;
    const answer = new Promise<unknown>((settle) => void this.#settlers.set(question, settle));
    this.store.pending.set(key, answer);
    return undefined;
  }

  /** @param answer what the waiting runs get. If this run's own limit has stopped it, they ask for themselves */
  settle(question: string, answer: unknown): void {
    const settle = this.#settlers.get(question);
    if (!settle) return;
    this.#settlers.delete(question);
    this.store.pending.delete(this.keyOf(question));
    settle(answer instanceof Error && isSpent(answer) ? undefined : answer);
  }

  /** Gives up what is left when the work ends or the run is aborted: a call may ignore the abort. */
  async within(abort: AbortSignal, work: Promise<void>): Promise<void> {
    const release = (): void => {
      this.#stop();
      for (const question of this.#settlers.keys()) this.settle(question, undefined);
    };
    abort.addEventListener('abort', release);
    try {
      await work;
    } finally {
      abort.removeEventListener('abort', release);
      release();
    }
  }
}

/** The error of a question that was open when the entry timed out. */
export function unanswered({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : noAnswer();
}

const noAnswer = (): Error => new EndpointError('ASZ612', 'the answer has no score for it');

/** Calls with retries. If the endpoint is busy, all calls wait. */
class Calls<A> {
  #pause: Promise<unknown> = Promise.resolve();
  /** Why no further call can succeed. */
  #final: Error | undefined;
  #hasAnswered = false;

  constructor(private readonly asking: Asking<A>) {}

  async call(questions: readonly string[]): Promise<readonly (A | undefined)[] | Error> {
    const { limit, abort } = this.asking;
    let last: Error | undefined;
    for (let repetition = 0; ; repetition++) {
      try {
        await this.#paused();
        abort.throwIfAborted();
        if (this.#final) return this.#final;
        limit.take();
        if (!(await this.#takeFromBudget())) return this.#final ?? noAnswer();
        const answers = await this.asking.call(questions);
        this.#hasAnswered = true;
        return answers;
      } catch (error) {
        abort.throwIfAborted();
        const failure = error instanceof Error ? error : new Error(String(error));
        // If only the call limit is reached, the earlier failure is more informative.
        if (isSpent(failure) && last) return last;
        last = failure;
        const wait = this.#waitAfter(failure, repetition);
        if (wait === undefined) return failure;
        // A shorter wait does not shorten a longer one.
        this.#pause = Promise.all([this.#pause, pause(wait, abort)]);
      }
    }
  }

  /** Counts the call in the budget of all runs. If that is used up, no further call can be made in this run. */
  async #takeFromBudget(): Promise<boolean> {
    const { params, store } = this.asking;
    const { budget, price } = params;
    if (!budget || (await store.take({ ...budget, calls: budget.calls, spend: budget.spend }, price))) return true;
    const limits = [
      budget.calls !== undefined && `calls: ${budget.calls}`,
      budget.spend !== undefined && `spend: ${budget.spend}, at ${price} a call`,
    ];
    const used = `the budget of this ${budget.per} is used up (${limits.filter((one) => one !== false).join('; ')})`;
    this.#final = new EndpointError('ASZ610', used, { isFinal: true });
    return false;
  }

  /** Resolves when no call has to wait. While one call waits, another may extend the wait. */
  async #paused(): Promise<void> {
    for (let known; known !== this.#pause; ) {
      known = this.#pause;
      await known; // oxlint-disable-line no-await-in-loop -- one after another
    }
  }

  /** The milliseconds before the next retry; undefined if there is none. */
  #waitAfter(failure: Error, repetition: number): number | undefined {
    const { params, patience, outlookOf } = this.asking;
    const { retry, isFinal } = outlookOf(failure);
    const wait = retry && (retry.afterMs ?? params.backoff * 2 ** repetition);
    if (wait !== undefined && wait <= patience && repetition < params.retries) return wait;
    // Give up on an endpoint that has not answered once after all retries.
    if (isFinal || (retry && !this.#hasAnswered)) this.#final = failure;
    return undefined;
  }
}

/** The outlook after a failure of an endpoint. */
export const outlookOfEndpoint = (failure: Error): FailureOutlook =>
  failure instanceof EndpointError ? failure : { isFinal: false };

/** Whether a limit of calls has stopped it. */
const isSpent = (failure: Error): boolean =>
  failure instanceof EndpointError && failure.problems.some(({ code }) => code === 'ASZ610');

/** Resolves after some milliseconds or when the run is aborted. Plugins run in browsers too, so no `node:timers`. */
const pause = (ms: number, abort: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      abort.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, timerMs(ms));
    abort.addEventListener('abort', done);
  });
