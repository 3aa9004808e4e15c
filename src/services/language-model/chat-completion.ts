import { z } from 'zod';
import { describeValue } from '../../diagnostics/describe-value.js';
import { AssizeError } from '../../diagnostics/problem.js';
import { parseAnswerJson } from './parse-answer-json.js';

/** It comes from outside, and goes into messages. */
const MODEL_NAME = /^[\w.:/@+-]{1,100}$/;

/** What is read of a chat completion. An endpoint may leave out or invent the rest. */
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

/** How an endpoint says that something went wrong which it answers with success. */
const errorBodySchema = z.object({
  error: z.union([z.string(), z.object({ message: z.string() }).transform((e) => e.message)]),
});

/** Longer than any token is on the whole. */
const MAX_CHARACTERS_PER_TOKEN = 40;

/** What was asked of whom. */
export interface ReadCompletionOptions {
  /** Names the model in messages. */
  readonly title: string;
  /** How many tokens the answer could have. */
  readonly maxTokens: number;
  /** Takes out of a text what nobody may see. */
  readonly redact: (text: string) => string;
}

/** A completion with its JSON read. */
export interface ChatCompletion {
  readonly value: unknown;
  /** The model, where the endpoint names it. */
  readonly model: string | undefined;
}

const unusableAnswer = (message: string, cause?: unknown): AssizeError =>
  new AssizeError([{ code: 'ASZ527', message }], message, { cause });

/** How many tokens an endpoint says that a question took; undefined where it says none. */
export const usedTokens = (body: unknown): number | undefined => usageSchema.safeParse(body).data?.usage.total_tokens;

/**
 * Reads what an endpoint answered.
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

function noCompletionMessage(body: unknown, title: string, clean: (text: string) => string): string {
  const error = errorBodySchema.safeParse(body).data?.error;
  if (error !== undefined) return `${title} answered with an error: ${quoteExternalText(clean(error))}`;
  const found = describeValue(typeof body === 'string' ? clean(body) : body);
  return `${title} sent ${found}, which is no chat completion: is its address right?`;
}

/** Somebody else's text in a message: on one line, and not too long. */
export const quoteExternalText = (text: string): string => {
  const line = text.replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ').trim();
  return JSON.stringify(line.length > 120 ? `${line.slice(0, 119)}…` : line);
};
