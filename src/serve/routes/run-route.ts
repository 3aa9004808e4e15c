import type * as z from 'zod';
import { parseEnvelope, type RunKind } from '../http/envelopes.js';
import type { Answer, Call } from './call.js';

/** What a route is, besides what it does. */
interface RouteFacts<E> {
  readonly kind: RunKind;
  /** The first is the one that is documented. */
  readonly paths: readonly [string, ...string[]];
  readonly summary: string;
  readonly envelope: z.ZodType<E>;
}

/** A route that runs a profile, whatever its envelope is. */
export interface RunRoute extends RouteFacts<unknown> {
  /** @throws AssizeError (ASZ590) where the request is not what the envelope says */
  readonly answer: (request: unknown, call: Call) => Promise<Answer>;
  /** Answers candidates that come line by line while they come. Where there is none, they are collected. */
  readonly answerLines?: (request: unknown, candidates: AsyncIterable<object>, call: Call) => Promise<Answer>;
}

/** Makes a route of functions that have the type of its envelope. */
export function defineRoute<E>({
  answer,
  answerLines,
  ...facts
}: RouteFacts<E> & {
  readonly answer: (request: E, call: Call) => Promise<Answer>;
  readonly answerLines?: (request: E, candidates: AsyncIterable<object>, call: Call) => Promise<Answer>;
}): RunRoute {
  const parse = (request: unknown): E => parseEnvelope(facts.envelope, request);
  return {
    ...facts,
    answer: async (request, call) => answer(parse(request), call),
    ...(answerLines && {
      answerLines: async (request, candidates, call) => answerLines(parse(request), candidates, call),
    }),
  };
}
