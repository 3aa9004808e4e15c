import type { Caller } from '../access/index.js';
import { bodyFormat, isNdjson, parseBody, readBody } from '../http/body.js';
import { Deadline } from '../http/deadline.js';
import { collectLines, linesReply, readLines } from '../http/lines.js';
import { problemReply } from '../http/problem-reply.js';
import { jsonReply, type Reply, textReply } from '../http/reply.js';
import { tooBusy } from '../http/request-error.js';
import type { ServerParts } from '../http/server-parts.js';
import { answerInThread, isForThread } from './answer-in-thread.js';
import type { Answer, Call } from './call.js';
import { callHere } from './call-here.js';
import type { RunRoute } from './run-route.js';

/** Hears how a request ended: the error, where there is one. */
export type RequestEnded = (error?: unknown) => void;

/** Answers a request of a route: reads it, waits for its turn, runs it, and gives back what it held, however it ends. */
export async function runRequest(
  route: RunRoute,
  request: Request,
  caller: Caller,
  server: ServerParts,
  ended: RequestEnded,
): Promise<Reply> {
  const { limits, deadlines } = server;
  if (server.isStopping) throw tooBusy('the server is about to stop');
  const deadline = new Deadline(request.signal, limits.request, () => deadlines.delete(deadline));
  deadlines.add(deadline);
  const { signal } = deadline;
  const cleanups: (() => void)[] = [() => deadline.end()];
  const end: RequestEnded = (error) => {
    for (const cleanup of cleanups.splice(0)) cleanup();
    ended(error);
  };
  try {
    let run = await readRequest(route, request, { deadline, server, release: (cleanup) => cleanups.push(cleanup) });
    deadline.setTime(limits.time);
    const wantsLines = run.isStream === true || isNdjson(request.headers.get('accept') ?? '');
    if (run.body && !wantsLines && isForThread(run.body, server)) {
      const { answer, body } = await answerInThread(route.kind, run.body, { server, caller, signal });
      if (answer) return replyOf(answer, deadline, end);
      run = runOfBody(route, body);
    }
    cleanups.unshift(await server.slots.take(caller.tenant, signal));
    return replyOf(await run.start(callHere(server, caller, signal, wantsLines)), deadline, end);
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

interface Reading {
  readonly deadline: Deadline;
  readonly server: ServerParts;
  /** Called when the request has ended. */
  readonly release: (cleanup: () => void) => void;
}

async function readRequest(
  route: RunRoute,
  request: Request,
  { deadline, server: { limits, held }, release }: Reading,
): Promise<ReadRequest> {
  if (bodyFormat(request) === 'json') {
    const body = await readBody(request, limits.body, held);
    const { byteLength } = body;
    release(() => held.release(byteLength));
    return runOfBody(route, body);
  }
  const lines = await readLines(request, limits.body, () => deadline.touch());
  const { answer, answerLines } = route;
  if (answerLines) {
    return { isStream: true, start: (call) => answerLines(lines.envelope, oneByOne(lines.candidates), call) };
  }
  const { candidates, bytes } = await collectLines(lines, limits.candidates, held);
  release(() => held.release(bytes));
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

function replyOf(answer: Answer, deadline: Deadline, end: RequestEnded): Reply {
  if ('lines' in answer) return linesReply(answer.lines, deadline, end);
  const reply = 'text' in answer ? textReply(answer.text) : jsonReply(answer.json);
  end();
  return reply;
}
