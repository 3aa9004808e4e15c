import { z } from 'zod';
import { AssizeError } from '../../contract/problem.js';
import { describeValue } from '../../expression/describe.js';
import { answerJson } from './answer-json.js';

/** It comes from outside, and goes into messages. */
const MODEL_NAME = /^[\w.:/@+-]{1,100}$/;

/** What is read of a chat completion. An endpoint may leave out or invent the rest. */
const completion = z.object({
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

const counted = z.object({ usage: z.object({ total_tokens: z.int().positive() }) });

/** How an endpoint says that something went wrong which it answers with success. */
const failed = z.object({
  error: z.union([z.string(), z.object({ message: z.string() }).transform((e) => e.message)]),
});

/** Longer than any token is on the whole. */
const CHARACTERS = 40;

/** What was asked of whom. */
export interface Expected {
  /** Names the model in messages. */
  readonly title: string;
  /** How many tokens the answer could have. */
  readonly maxTokens: number;
  /** Takes out of a text what nobody may see. */
  readonly clean: (text: string) => string;
}

/** A completion with its JSON read. */
export interface Completion {
  readonly value: unknown;
  /** The model, where the endpoint names it. */
  readonly model: string | undefined;
}

const unusable = (message: string, cause?: unknown): AssizeError =>
  new AssizeError([{ code: 'ASZ527', message }], message, { cause });

/** How many tokens an endpoint says that a question took; undefined where it says none. */
export const tokensOf = (body: unknown): number | undefined => counted.safeParse(body).data?.usage.total_tokens;

/**
 * Reads what an endpoint answered.
 *
 * @throws AssizeError ASZ527 when it is no completion, or one that is refused, cut off, empty, far too long or no JSON
 */
export function readCompletion(body: unknown, { title, maxTokens, clean }: Expected): Completion {
  const read = completion.safeParse(body);
  const choice = read.data?.choices[0];
  if (read.data === undefined || choice === undefined) throw unusable(noCompletion(body, title, clean));
  const { finish_reason: finish, message } = choice;
  if (message.refusal) throw unusable(`${title} refused to answer: ${shortened(clean(message.refusal))}`);
  if (finish === 'length') throw unusable(`the answer of ${title} was cut off: it may have ${maxTokens} tokens`);
  if (finish === 'content_filter') throw unusable(`a content filter withheld the answer of ${title}`);
  const content = clean(message.content?.trim() ?? '');
  if (content === '') throw unusable(`the answer of ${title} is empty`);
  if (content.length > CHARACTERS * maxTokens) {
    throw unusable(`the answer of ${title} is far too long: it may have ${maxTokens} tokens`);
  }
  const { model } = read.data;
  try {
    return { value: answerJson(content), model: model === undefined ? undefined : clean(model) };
  } catch (cause) {
    throw unusable(`the answer of ${title} is not JSON: ${shortened(content)}`, cause);
  }
}

function noCompletion(body: unknown, title: string, clean: (text: string) => string): string {
  const error = failed.safeParse(body).data?.error;
  if (error !== undefined) return `${title} answered with an error: ${shortened(clean(error))}`;
  const found = describeValue(typeof body === 'string' ? clean(body) : body);
  return `${title} sent ${found}, which is no chat completion: is its address right?`;
}

/** Somebody else's text in a message: on one line, and not too long. */
export const shortened = (text: string): string => {
  const line = text.replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ').trim();
  return JSON.stringify(line.length > 120 ? `${line.slice(0, 119)}…` : line);
};
