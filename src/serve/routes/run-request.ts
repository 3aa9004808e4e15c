import type * as z from 'zod';
import type { Caller } from '../access/index.js';
import { bodyFormat, isNdjson, readJson } from '../http/body.js';
import { Deadline } from '../http/deadline.js';
import { parseEnvelope } from '../http/envelopes.js';
import { collectLines, linesResponse, readLines } from '../http/lines.js';
import { problemResponse } from '../http/problem-response.js';
import { tooBusy } from '../http/request-error.js';
import type { ServerParts } from '../http/server-parts.js';
import type { Answer, Call } from './call.js';

/** A route that runs a profile. */
export interface RunRoute<E> {
  readonly envelope: z.ZodType<E>;
  readonly answer: (request: E, call: Call) => Promise<Answer>;
  /** Answers candidates that come line by line while they come. Where there is none, they are collected. */
  readonly answerLines?: (request: E, candidates: AsyncIterable<object>, call: Call) => Promise<Answer>;
}

/** Hears how a request ended: the error, where there is one. */
export type RequestEnded = (error?: unknown) => void;

/** Answers a request of a route: reads it, waits for its turn, runs it, and gives back what it held, however it ends. */
export async function runRequest<E>(
  route: RunRoute<E>,
  request: Request,
  caller: Caller,
  server: ServerParts,
  ended: RequestEnded,
): Promise<Response> {
  const { limits, deadlines } = server;
  if (server.isStopping) throw tooBusy('the server is about to stop');
  const deadline = new Deadline(request.signal, limits.request, () => deadlines.delete(deadline));
  deadlines.add(deadline);
  const cleanups: (() => void)[] = [() => deadline.end()];
  const end: RequestEnded = (error) => {
    for (const cleanup of cleanups.splice(0)) cleanup();
    ended(error);
  };
  try {
    const run = await prepareRun(route, request, { deadline, server, release: (cleanup) => cleanups.push(cleanup) });
    deadline.setTime(limits.time);
    cleanups.unshift(await server.slots.take(caller.tenant, deadline.signal));
    const wantsLines = run.isStream || isNdjson(request.headers.get('accept') ?? '');
    const answer = await run.start({ server, caller, signal: deadline.signal, wantsLines });
    if ('lines' in answer) return linesResponse(answer.lines, deadline, end);
    const response = jsonResponse(answer);
    end();
    return response;
  } catch (error) {
    end(error);
    return problemResponse(error);
  }
}

/** A request that has been read. */
interface PreparedRun {
  /** Whether its candidates are still to come. */
  readonly isStream: boolean;
  readonly start: (call: Call) => Promise<Answer>;
}

interface Reading {
  readonly deadline: Deadline;
  readonly server: ServerParts;
  /** Called when the request has ended. */
  readonly release: (cleanup: () => void) => void;
}

async function prepareRun<E>(
  { envelope, answer, answerLines }: RunRoute<E>,
  request: Request,
  { deadline, server: { limits, held }, release }: Reading,
): Promise<PreparedRun> {
  if (bodyFormat(request) === 'json') {
    const { data, bytes } = await readJson(request, limits.body, held);
    release(() => held.release(bytes));
    const parsed = parseEnvelope(envelope, data);
    return { isStream: false, start: (call) => answer(parsed, call) };
  }
  const lines = await readLines(request, limits.body, () => deadline.touch());
  if (answerLines) {
    const parsed = parseEnvelope(envelope, lines.envelope);
    return { isStream: true, start: (call) => answerLines(parsed, oneByOne(lines.candidates), call) };
  }
  const { candidates, bytes } = await collectLines(lines, limits.candidates, held);
  release(() => held.release(bytes));
  const parsed = parseEnvelope(envelope, { ...lines.envelope, candidates });
  return { isStream: false, start: (call) => answer(parsed, call) };
}

async function* oneByOne(chunks: AsyncIterable<readonly object[]>): AsyncGenerator<object> {
  for await (const chunk of chunks) yield* chunk;
}

const JSON_HEADERS = { 'content-type': 'application/json' };

const jsonResponse = (answer: Exclude<Answer, { readonly lines: unknown }>): Response =>
  new Response('text' in answer ? answer.text : JSON.stringify(answer.json), { headers: JSON_HEADERS });
