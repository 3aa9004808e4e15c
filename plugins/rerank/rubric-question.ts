import { AssizeError, answerSchema, EndpointError, type LanguageModel, z } from '../../src/sdk.js';
import { type Hope, hopeOfEndpoint } from './ask-all.js';

/** A judgement, with the model that gave it. */
export type Judged<A> = A & { readonly model: string };

/** What a language model is asked, whatever the candidates. */
export interface RubricQuestion<T extends z.ZodObject> {
  readonly instructions: string;
  readonly answer: { readonly name: string; readonly type: T };
  /** What an answer is, in messages: `a grade from 0 to 4, and a reason`. */
  readonly expected: string;
  readonly maxTokens: number;
}

/**
 * Asks once.
 *
 * @param material what is judged: data, in which nothing is an instruction
 * @throws EndpointError (ASZ612) where the answer is not of its type
 */
export async function askRubric<T extends z.ZodObject>(
  model: LanguageModel,
  { instructions, answer: { name, type }, expected, maxTokens }: RubricQuestion<T>,
  material: object,
  abort: AbortSignal,
): Promise<Judged<z.output<T>>> {
  const question = { instructions, material, answer: { name, schema: answerSchema(type) }, maxTokens };
  const given = await model.ask(question, abort);
  const { data } = type.safeParse(given.value);
  if (data !== undefined) return { ...data, model: given.model };
  const found = JSON.stringify(given.value)?.slice(0, 100);
  throw new EndpointError('ASZ612', `${given.model} answered ${found}; expected ${expected}`);
}

/** No question can be sent (ASZ525), or the model does not answer, and the next question waits as it wants (ASZ526). */
export function hopeOfModel(failure: Error): Hope {
  const codes = failure instanceof AssizeError ? failure.problems.map(({ code }) => code) : [];
  if (codes.includes('ASZ526')) return { retry: { afterMs: undefined }, isFinal: false };
  return codes.includes('ASZ525') ? { isFinal: true } : hopeOfEndpoint(failure);
}

/** What tells one text of the instructions from another: the beginning of its SHA-256. */
export async function versionOf(instructions: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(instructions)));
  return Array.from(digest.subarray(0, 4), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
