import type { IncomingMessage } from 'node:http';
import type { Caller } from '../access/index.js';
import { bodyFormat, type BodyReading, isNdjson, parseBody, readBody } from '../http/body.js';
import { Deadline } from '../http/deadline.js';
import { collectLines, linesReply, readLines } from '../http/lines.js';
import type { ServeLimits } from '../http/limits.js';
import { problemReply } from '../http/problem-reply.js';
import { jsonReply, type Reply, textReply } from '../http/reply.js';
import type { ServerParts } from '../http/server-parts.js';
import { answerInThread, isForThread } from './answer-in-thread.js';
import type { Answer, Call } from './call.js';
import { callHere } from './call-here.js';
import type { RunRoute } from './run-route.js';

/** Hears how a request ended: the error, where there is one. */
export type RequestEnded = (error?: unknown) => void;

/** A request as it came. */
export interface GivenRequest {
  readonly request: Request;
  readonly caller: Caller;
  /** The same as Node has it: its body is read of this one. */
  readonly incoming: IncomingMessage;
}

/** Answers a request of a route: reads it, waits for its turn, runs it, and gives back what it held, however it ends. */
export async function runRequest(
  route: RunRoute,
  { request, caller, incoming }: GivenRequest,
  server: ServerParts,
  ended: RequestEnded,
): Promise<Reply> {
  const { limits, deadlines } = server;
  const upload = server.uploads.open(caller.tenant);
  const deadline = new Deadline(request.signal, limits, () => deadlines.delete(deadline));
  deadlines.add(deadline);
  const { signal } = deadline;
  const cleanups: (() => void)[] = [() => deadline.end(), () => upload.end()];
  const end: RequestEnded = (error) => {
    for (const cleanup of cleanups.splice(0)) cleanup();
    ended(error);
  };
  try {
    let run = await readRequest(route, request, { deadline, limits, upload, incoming });
    deadline.touch();
    const wantsLines = run.isStream === true || isNdjson(request.headers.get('accept') ?? '');
    if (run.body && !wantsLines && isForThread(run.body, server)) {
      const { answer, body } = await answerInThread(route.kind, run.body, { server, caller, signal });
      if (answer) return replyOf(answer, incoming, deadline, end);
      run = runOfBody(route, body);
    }
    const giveBack = await server.slots.take(caller.tenant, signal);
    try {
      return replyOf(await run.start(callHere(server, caller, deadline, wantsLines)), incoming, deadline, end);
    } finally {
      giveBack(); // an answer in lines takes its turns by itself: its client may read or send as slowly as it likes
    }
  } catch (error) {
    end(error);
    return problemReply(error);
  }
}

/** A request that has been read. */
interface ReadRequest {
  readonly start: (call: Call) => Promise<Answer>;
  /** Its bytes, where they have not been parsed yet. */
  readonly body?: Uint8Array;
  /** Whether its candidates are still to come. */
  readonly isStream?: boolean;
}

async function readRequest(
  route: RunRoute,
  request: Request,
  reading: BodyReading & { readonly limits: ServeLimits },
): Promise<ReadRequest> {
  if (bodyFormat(request) === 'json') return runOfBody(route, await readBody(reading));
  const { answer, answerLines } = route;
  const lines = await readLines(reading, answerLines === undefined);
  if (answerLines) {
    return { isStream: true, start: (call) => answerLines(lines.envelope, oneByOne(lines.candidates), call) };
  }
  const candidates = await collectLines(lines, reading.limits.candidates);
  reading.upload.received();
  return { start: (call) => answer({ ...lines.envelope, candidates }, call) };
}

/** A request of JSON: one that waits for its turn is held as bytes. */
const runOfBody = ({ answer }: RunRoute, body: Uint8Array): ReadRequest => ({
  body,
  start: (call) => answer(parseBody(body), call),
});

async function* oneByOne(chunks: AsyncIterable<readonly object[]>): AsyncGenerator<object> {
  for await (const chunk of chunks) yield* chunk;
}

function replyOf(answer: Answer, incoming: IncomingMessage, deadline: Deadline, end: RequestEnded): Reply {
  if ('lines' in answer) return linesReply(answer.lines, incoming, deadline, end);
  const reply = 'text' in answer ? textReply(answer.text) : jsonReply(answer.json);
  end();
  return reply;
}
