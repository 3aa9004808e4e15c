import { setTimeout } from 'node:timers/promises';
import { toError } from 'assize/internal';
import { z } from 'assize/sdk';
import type { LanguageModelQuestion } from 'assize/sdk';
import type { Judge } from './open-judges.js';

/** The calls of a measurement. */
export interface JudgeCost {
  /** The number of calls, including those without a usable answer. */
  readonly calls: number;
  readonly failedCalls: number;
  /** The tokens of the answers, as the endpoint counts them or as an estimate. Failed calls are not counted. */
  readonly tokens: number;
  /** The price of the calls; absent if the profile has no `price`. */
  readonly spend?: number;
}

const WON = { first: 1, second: 0, neither: 0.5 } as const;
const comparison = z.object({ better: z.literal(['first', 'second', 'neither']), reason: z.string() });

/** The wait before a retry, in milliseconds. It doubles with each retry. */
const BACKOFF = 250;

/** Asks a judge, with retries, and counts the calls. Every question is asked, also one that was asked before. */
export class JudgeAsker {
  #calls = 0;
  #failed = 0;
  #tokens = 0;
  #hasAnswered = false;
  /** Why no further call is made. */
  #final: Error | undefined;
  readonly #parse: (value: unknown) => number | undefined;

  /** @param most the maximum number of calls */
  constructor(
    private readonly judge: Judge,
    private readonly most: number,
  ) {
    const grade = z.object({ grade: z.int().min(0).max(judge.most), reason: z.string() });
    this.#parse =
      judge.kind === 'grades'
        ? (value) => grade.safeParse(value).data?.grade
        : (value) => {
            const { data } = comparison.safeParse(value);
            return data && WON[data.better];
          };
  }

  get cost(): JudgeCost {
    const { price } = this.judge;
    const spend = price === undefined ? {} : { spend: price * this.#calls };
    return { calls: this.#calls, failedCalls: this.#failed, tokens: this.#tokens, ...spend };
  }

  /** The number of models that are called at the same time. */
  get parallel(): number {
    return this.judge.parallel;
  }

  /** The grade, or the share that the first text won: 1, 0, or 0.5 for neither. An error if there is no answer. */
  async ask(question: LanguageModelQuestion): Promise<number | Error> {
    let last: Error | undefined;
    for (let repetition = 0; repetition <= this.judge.retries; repetition++) {
      if (this.#final) return last ?? this.#final;
      if (this.#calls >= this.most) {
        this.#final = new Error(`the ${this.most} calls of the measurement are used up`);
        return last ?? this.#final;
      }
      // oxlint-disable-next-line no-await-in-loop -- a retry follows a failure
      if (last) await setTimeout(BACKOFF * 2 ** (repetition - 1));
      this.#calls += 1;
      // oxlint-disable-next-line no-await-in-loop -- a retry follows a failure
      const answer = await this.#once(question);
      if (!(answer instanceof Error)) return answer;
      this.#failed += 1;
      last = answer;
    }
    // A model that has not answered once after all retries is not called again.
    if (!this.#hasAnswered) this.#final ??= last;
    return last ?? new Error('the judge was not asked');
  }

  async #once(question: LanguageModelQuestion): Promise<number | Error> {
    try {
      const { value, model, tokens } = await this.judge.ask(question);
      this.#tokens += tokens;
      const answer = this.#parse(value);
      if (answer === undefined) return new Error(`${model} answered ${JSON.stringify(value)?.slice(0, 100)}`);
      this.#hasAnswered = true;
      return answer;
    } catch (error) {
      return toError(error);
    }
  }
}

/** Whether a question has an answer. */
export const isAnswer = (value: number | Error | undefined): value is number => typeof value === 'number';

/** Does work for each item, a few at a time, and returns the results in the order of the items. */
export async function inParallel<T, R>(
  items: readonly T[],
  parallel: number,
  onItem: (done: number) => void,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  let done = 0;
  const queue = [...items.entries()];
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [k, item] = next;
      // oxlint-disable-next-line no-await-in-loop -- one after another, so that few run at the same time
      results[k] = await work(item);
      done += 1;
      onItem(done);
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return results;
}
