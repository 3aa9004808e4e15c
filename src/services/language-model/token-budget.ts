import { AssizeError } from '../../diagnostics/problem.js';

/** UTF-8 bytes a token, on the safe side: English has about four, Chinese three. */
const BYTES_PER_TOKEN = 3;

/** How many tokens a text takes, at most, in most languages: a model's own count needs its tokenizer. */
export const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);

/** A number of tokens that may be used up, by questions that may be asked at the same time. */
export class TokenBudget {
  #used = 0;

  /** @param total undefined: without end */
  constructor(private readonly total: number | undefined) {}

  /**
   * Sets tokens aside for one question, so that those asked meanwhile cannot have them.
   *
   * @returns what takes the tokens that the question really had; until then, all of them count
   * @throws AssizeError when fewer are left
   */
  reserve(tokens: number): (taken: number) => void {
    const used = this.#used;
    if (this.total !== undefined && used + tokens > this.total) {
      const message =
        `the budget of ${this.total} tokens (total_tokens) does not reach for another question: ` +
        `${used} are used, and it may take ${tokens}`;
      throw new AssizeError([{ code: 'ASZ525', message }]);
    }
    this.#used += tokens;
    return (taken) => {
      this.#used += taken - tokens;
    };
  }
}
