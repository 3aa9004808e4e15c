import * as z from 'zod';
import { AssizeError, describeValue } from '../../base/index.js';

/** A model's name that may go into messages: it comes from the endpoint. */
const MODEL_NAME = /^[\w.:/@+-]{1,100}$/;

/** The part of a chat completion that is read. An endpoint may leave out or add the rest. */
const completionSchema = z.object({
  model: z.string().regex(MODEL_NAME).optional().catch(undefined),
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    )
    .min(1),
});

const usageSchema = z.object({ usage: z.object({ total_tokens: z.int().positive() }) });

/** An error that an endpoint reports with a status of success. */
const errorBodySchema = z.object({
  error: z.union([z.string(), z.object({ message: z.string() }).transform((e) => e.message)]),
});

/** More than the characters of any token, on average. */
const MAX_CHARACTERS_PER_TOKEN = 40;

/** The model that a completion is of, and its limits. */
interface ReadCompletionOptions {
  /** The model in messages. */
  readonly title: string;
  /** The most tokens that the answer may have. */
  readonly maxTokens: number;
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
}

/** A completion with its JSON parsed. */
interface ChatCompletion {
  readonly value: unknown;
  /** The model, where the endpoint names it. */
  readonly model: string | undefined;
}

const unusableAnswer = (message: string, cause?: unknown): AssizeError =>
  new AssizeError([{ code: 'ASZ527', message }], message, { cause });

/** The tokens that a request used by the endpoint's count; undefined if it gives none. */
export const usedTokens = (body: unknown): number | undefined => usageSchema.safeParse(body).data?.usage.total_tokens;

/**
 * Reads a chat completion.
 *
 * @throws AssizeError ASZ527 when it is no completion, or one that is refused, cut off, empty, far too long or no JSON
 */
export function readCompletion(body: unknown, { title, maxTokens, redact }: ReadCompletionOptions): ChatCompletion {
  const read = completionSchema.safeParse(body);
  const choice = read.data?.choices[0];
  if (read.data === undefined || choice === undefined) throw unusableAnswer(noCompletionMessage(body, title, redact));
  const { finish_reason: finish, message } = choice;
  if (message.refusal)
    throw unusableAnswer(`${title} refused to answer: ${quoteExternalText(redact(message.refusal))}`);
  if (finish === 'length') throw unusableAnswer(`the answer of ${title} was cut off: it may have ${maxTokens} tokens`);
  if (finish === 'content_filter') throw unusableAnswer(`a content filter withheld the answer of ${title}`);
  const content = redact(message.content?.trim() ?? '');
  if (content === '') throw unusableAnswer(`the answer of ${title} is empty`);
  if (content.length > MAX_CHARACTERS_PER_TOKEN * maxTokens) {
    throw unusableAnswer(`the answer of ${title} is far too long: it may have ${maxTokens} tokens`);
  }
  const { model } = read.data;
  try {
    return { value: parseAnswerJson(content), model: model === undefined ? undefined : redact(model) };
  } catch (cause) {
    throw unusableAnswer(`the answer of ${title} is not JSON: ${quoteExternalText(content)}`, cause);
  }
}

function noCompletionMessage(body: unknown, title: string, redact: (text: string) => string): string {
  const error = errorBodySchema.safeParse(body).data?.error;
  if (error !== undefined) return `${title} answered with an error: ${quoteExternalText(redact(error))}`;
  const found = describeValue(typeof body === 'string' ? redact(body) : body);
  return `${title} sent ${found}, which is not a chat completion: check its address`;
}

/** Quotes text of an endpoint in a message: on one line, and not too long. */
export const quoteExternalText = (text: string): string => {
  const line = text.replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ').trim();
  return JSON.stringify(line.length > 120 ? `${line.slice(0, 119)}…` : line);
};

const FENCES = [/```json([^]*?)(?:```|$)/, /```([^]*?)(?:```|$)/];

/**
 * Parses the JSON of a language model's text: all of it, else the first block fenced as `json`, else the first fenced
 * block. JSON inside prose is not used: the prose could say the opposite.
 *
 * @throws SyntaxError when there is none
 */
export function parseAnswerJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const fenced = FENCES.map((fence) => fence.exec(text)?.[1]).find((block) => block !== undefined);
    if (fenced === undefined) throw error;
    return JSON.parse(fenced);
  }
}

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
        `the budget of ${this.total} tokens (total_tokens) is too small for another request: ` +
        `${used} are used, and the request may use ${tokens}`;
      throw new AssizeError([{ code: 'ASZ525', message }]);
    }
    this.#used += tokens;
    return (charged) => {
      this.#used += charged - tokens;
    };
  }
}
