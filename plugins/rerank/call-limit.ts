import { type Context, duration, z, EndpointError } from '../../src/sdk.js';

/** The params by which a unit asks a model: how often, how many at once, and at what price. */
export const askingParams = {
  parallel: z.int().min(1).max(64).default(4).describe('How many calls are under way at once.'),
  retries: z
    .int()
    .min(0)
    .max(10)
    .default(2)
    .describe('How often a call is repeated that got no answer; each is a call.'),
  backoff: duration('250ms').describe(
    'How long the first repetition waits where no Retry-After says it; each further one twice as long.',
  ),
  calls: z.int().min(0).default(100).describe('The most calls of one run, repetitions included.'),
  price: z.number().min(0).default(0).describe('What one call may cost, in any currency.'),
  spend: z.number().min(0).optional().describe('With price: the most that the calls of one run may cost together.'),
  cache: z
    .int()
    .min(0)
    .default(10_000)
    .describe('How many answers are kept, for the same question again; 0 keeps none.'),
};

export type AskingParams = z.output<z.ZodObject<typeof askingParams>>;

/** The calls of one run, of which there may be only so many. */
export class CallLimit {
  /** How many there may be. */
  readonly most: number;
  #made = 0;
  #hasAnswers = false;

  constructor(private readonly params: Pick<AskingParams, 'calls' | 'price' | 'spend'>) {
    const { calls, price, spend } = params;
    this.most = spend === undefined || price === 0 ? calls : Math.min(calls, callsFor(spend, price));
  }

  /** @throws EndpointError (ASZ610) where no call is left */
  take(): void {
    if (this.#made >= this.most)
      throw new EndpointError('ASZ610', `the ${this.most} calls of the run are used up (${this.source})`);
    this.#made += 1;
  }

  /** The params that say how many there may be, in messages. */
  get source(): string {
    const { calls, price, spend } = this.params;
    return this.most < calls ? `spend: ${spend}, at ${price} a call` : `calls: ${calls}`;
  }

  /**
   * Why the entry has failed: the first failure, where the run has had no answer, in any of its parts. Else the candidates
   * without one fail alone, and those before them keep theirs.
   */
  failureOf(answers: ReadonlyMap<string, unknown>): Error | undefined {
    const all = [...answers.values()];
    this.#hasAnswers ||= all.some((one) => !(one instanceof Error));
    return this.#hasAnswers ? undefined : all.find((one) => one instanceof Error);
  }
}

/** How many calls an amount pays for. Rounding takes none away: 0.3 / 0.1 is a little less than 3. */
const callsFor = (spend: number, price: number): number => Math.floor((spend / price) * (1 + 2 * Number.EPSILON));

/** The limits of the runs under way. A run that asks part by part has one context. */
export class CallLimits {
  readonly #ofRun = new WeakMap<Context, CallLimit>();

  of(context: Context, params: AskingParams): CallLimit {
    const limit = this.#ofRun.get(context) ?? new CallLimit(params);
    this.#ofRun.set(context, limit);
    return limit;
  }
}
