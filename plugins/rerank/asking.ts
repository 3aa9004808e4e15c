import { type Context, duration, EndpointError, type Retry, timerMs, z } from '../../src/unit-sdk.js';

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
  cache: z.int().min(0).default(10_000).describe('The number of cached answers. 0 disables the cache.'),
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

/** The limits of the current runs. A run that works in parts has one context. */
export class CallLimits {
  readonly #ofRun = new WeakMap<Context, CallLimit>();

  of(context: Context, params: AskingParams): CallLimit {
    const limit = this.#ofRun.get(context) ?? new CallLimit(params);
    this.#ofRun.set(context, limit);
    return limit;
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
  readonly cache: AnswerCache<A>;
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
 * Asks each question once. Cached questions are not sent. A question without an answer gets an error. Only an abort
 * rejects.
 *
 * @param onAnswers receives the answers so far each time there are new ones. After an abort it is not called; later
 * answers only go into the cache
 */
export async function askAll<A>(
  questions: Iterable<string>,
  asking: Asking<A>,
  onAnswers: (answers: ReadonlyMap<string, A | Error>) => void = () => {},
): Promise<ReadonlyMap<string, A | Error>> {
  const { params, batch, cache, about, abort } = asking;
  const answers = new Map<string, A | Error>();
  const open: string[] = [];
  const keyOf = (question: string): string => JSON.stringify([about, question]);
  for (const question of new Set(questions)) {
    const known = cache.get(keyOf(question));
    if (known === undefined) open.push(question);
    else answers.set(question, known);
  }
  if (answers.size > 0) onAnswers(answers);
  const endpoint = new Calls(asking);
  const work = async (): Promise<void> => {
    while (open.length > 0) {
      const asked = open.splice(0, batch);
      const given = await endpoint.call(asked);
      for (const [k, question] of asked.entries()) {
        const answer = given instanceof Error ? given : (given[k] ?? noAnswer());
        if (!(answer instanceof Error)) cache.set(keyOf(question), answer, params.cache);
        if (!abort.aborted) answers.set(question, answer);
      }
      abort.throwIfAborted();
      onAnswers(answers);
    }
  };
  await Promise.all(Array.from({ length: params.parallel }, work));
  return answers;
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

const isSpent = (failure: Error): boolean =>
  failure instanceof EndpointError && failure.problems.some(({ code }) => code === 'ASZ610') && !failure.isFinal;

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

/** A cache of answers by question. The least recently used are evicted first. */
export class AnswerCache<A> {
  readonly #answers = new Map<string, A>();

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
}
