import { AssizeError } from '../../diagnostics/index.js';

/** How many bytes a text has in UTF-8; half of a surrogate pair counts as the character that replaces it. */
function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    const isPair = unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00;
    bytes += unit < 0x800 ? 1 : 2;
    if (isPair) i++; // two units and two bytes more
  }
  return bytes;
}

/** UTF-8 bytes a token, on the safe side: English has about four, Chinese three. */
const BYTES_PER_TOKEN = 3;

/** An upper estimate of a text's tokens in most languages: the exact count needs the model's tokenizer. */
export const estimateTokens = (text: string): number => Math.ceil(utf8Length(text) / BYTES_PER_TOKEN);

/** A number of tokens that questions may use, several at the same time. */
export class TokenBudget {
  #used = 0;

  /** @param total undefined for no limit */
  constructor(private readonly total: number | undefined) {}

  /**
   * Reserves tokens for one question, so that concurrent ones cannot use them.
   *
   * @returns charges the tokens that the question really used; until then, all reserved ones count
   * @throws AssizeError when fewer are left
   */
  reserve(tokens: number): (used: number) => void {
    const used = this.#used;
    if (this.total !== undefined && used + tokens > this.total) {
      const message =
        `the budget of ${this.total} tokens (total_tokens) does not reach for another question: ` +
        `${used} are used, and it may take ${tokens}`;
      throw new AssizeError([{ code: 'ASZ525', message }]);
    }
    this.#used += tokens;
    return (charged) => {
      this.#used += charged - tokens;
    };
  }
}
