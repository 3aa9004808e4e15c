import { z } from 'zod';
import { AssizeError } from '../contract/problem.js';
import { describeValue } from '../expression/describe.js';
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
 * @param title     names the model in messages
 * @param maxTokens how many tokens the answer could have
 * @throws AssizeError ASZ527 when it is no completion, or one that is refused, cut off, empty or no JSON
 */
export function readCompletion(body: unknown, title: string, maxTokens: number): Completion {
  const read = completion.safeParse(body);
  const choice = read.data?.choices[0];
  if (read.data === undefined || choice === undefined) {
    throw unusable(`${title} sent ${describeValue(body)}, which is no chat completion: is its address right?`);
  }
  const { finish_reason: finish, message } = choice;
  if (message.refusal) throw unusable(`${title} refused to answer: ${shortened(message.refusal)}`);
  if (finish === 'length') throw unusable(`the answer of ${title} was cut off: it may have ${maxTokens} tokens`);
  if (finish === 'content_filter') throw unusable(`a content filter withheld the answer of ${title}`);
  const content = message.content?.trim() ?? '';
  if (content === '') throw unusable(`the answer of ${title} is empty`);
  try {
    return { value: answerJson(content), model: read.data.model };
  } catch (cause) {
    throw unusable(`the answer of ${title} is not JSON: ${shortened(content)}`, cause);
  }
}

/** Somebody else's text in a message: on one line, and not too long. */
export const shortened = (text: string): string => {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return JSON.stringify(line.length > 120 ? `${line.slice(0, 119)}…` : line);
};
