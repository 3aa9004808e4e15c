import * as z from 'zod';
import { AssizeError, describeValue } from '../../base/index.js';

/** Names of models come from the endpoint. Only names of this form are quoted in messages. */
const MODEL_NAME = /^[\w.:/@+-]{1,100}$/;

/** The used part of a chat completion. Endpoints may omit or add other fields. */
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

/** An error that an endpoint reports with a success status. */
const errorBodySchema = z.object({
  error: z.union([z.string(), z.object({ message: z.string() }).transform((e) => e.message)]),
});

/** More characters than tokens have on average in any language. */
const MAX_CHARACTERS_PER_TOKEN = 40;

interface ReadCompletionOptions {
  /** The model, for messages. */
  readonly title: string;
  /** The maximum number of tokens of the answer. */
  readonly maxTokens: number;
  /** Removes secrets from a text. */
  readonly redact: (text: string) => string;
}

/** A completion with its JSON parsed. */
interface ChatCompletion {
  readonly value: unknown;
  /** The model, if the endpoint names it. */
  readonly model: string | undefined;
}

const unusableAnswer = (message: string, cause?: unknown): AssizeError =>
  new AssizeError([{ code: 'ASZ527', message }], message, { cause });

/** The endpoint's count of the tokens that a request used; undefined if it is missing. */
export const usedTokens = (body: unknown): number | undefined => usageSchema.safeParse(body).data?.usage.total_tokens;

/**
 * Reads a chat completion.
 *
 * @throws AssizeError ASZ527 if it is not a completion, or if the answer is refused, cut off, empty, too long or not
 *   JSON
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

/** Quotes text of an endpoint for a message: on one line, truncated. */
export const quoteExternalText = (text: string): string => {
  const line = text.replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ').trim();
  return JSON.stringify(line.length > 120 ? `${line.slice(0, 119)}…` : line);
};

const FENCES = [/```json([^]*?)(?:```|$)/, /```([^]*?)(?:```|$)/];

/**
 * Parses the JSON of a language model's text: the whole text, else the first block fenced as `json`, else the first
 * fenced block. Ignores JSON inside prose, because the prose could contradict it.
 *
 * @throws SyntaxError if no JSON is found
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

/** The number of UTF-8 bytes of a text. A lone surrogate counts as U+FFFD, which replaces it. */
function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    const isPair = unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00;
    bytes += unit < 0x800 ? 1 : 2;
    if (isPair) i++; // A pair has two units and four bytes.
  }
  return bytes;
}

/** A conservative number of UTF-8 bytes per token: English has about four, Chinese three. */
const BYTES_PER_TOKEN = 3;

/** An upper estimate of a text's tokens in most languages. The exact count needs the model's tokenizer. */
export const estimateTokens = (text: string): number => Math.ceil(utf8Length(text) / BYTES_PER_TOKEN);

/** A budget of tokens that concurrent requests share. */
export class TokenBudget {
  /** The tokens of requests that have ended. */
  #used = 0;
  /** The tokens of requests that are being made. They may use fewer. */
  #reserved = 0;
  readonly #waiting = new Set<() => void>();

  /** @param total undefined for no limit */
  constructor(private readonly total: number | undefined) {}

  /**
   * Reserves tokens for one request, so that concurrent requests cannot use them. Waits while other requests may leave
   * enough.
   *
   * @returns a function that replaces the reservation by the tokens that the request used; it must be called once
   * @throws AssizeError if fewer tokens are left; the reason of `abort` if it was aborted first
   */
  async reserve(tokens: number, abort?: AbortSignal): Promise<(used: number) => void> {
    while (this.total !== undefined && this.#used + this.#reserved + tokens > this.total) {
      if (this.#used + tokens > this.total) {
        const message =
          `the budget of ${this.total} tokens (total_tokens) is too small for another request: ` +
          `${this.#used} are used, and the request may use ${tokens}`;
        throw new AssizeError([{ code: 'ASZ525', message }]);
      }
      await this.#nextSettled(abort); // oxlint-disable-line no-await-in-loop -- another request may have taken them
    }
    this.#reserved += tokens;
    return (used) => {
      this.#reserved -= tokens;
      this.#used += used;
      for (const resume of this.#waiting) resume();
    };
  }

  async #nextSettled(abort: AbortSignal | undefined): Promise<void> {
    abort?.throwIfAborted();
    await new Promise<void>((resolve) => {
      const resume = (): void => {
        this.#waiting.delete(resume);
        abort?.removeEventListener('abort', resume);
        resolve();
      };
      this.#waiting.add(resume);
      abort?.addEventListener('abort', resume);
    });
    abort?.throwIfAborted();
  }
}
