import type { Readable } from 'node:stream';
import { bodyFormat, type BodyReading, isNdjson, parseBody, readBody } from '../http/body.js';
import { Deadline } from '../http/deadline.js';
import type { RunKind } from '../operations.js';
import type { ServeLimits } from '../http/limits.js';
import { collectLines, linesReply, readLines } from '../http/lines.js';
import { jsonReply, problemReply, type Reply, textReply } from '../http/reply.js';
import type { Caller, ServerParts } from '../http/server-parts.js';
import type { ProfileVersion, ThreadReply } from '../threads/messages.js';
import { fromSentError } from '../threads/sent-error.js';
import { publishWork } from '../threads/recorded-work.js';
import { type Answer, type Call, inlinePipeline, type RankRequest } from './call.js';
import type { RunRoute } from './run-routes.js';
import type { Ranking } from 'assize';
import { timeoutSignal } from 'assize/sdk';
import { toError } from 'assize/internal';

/** Called once when a request ends, with the error if it failed. */
type RequestEnded = (error?: unknown) => void;

/** A request as it was received. */
export interface GivenRequest {
  readonly request: Request;
  readonly caller: Caller;
  /** The body. */
  readonly incoming: Readable;
}

/** Answers a request of a route: reads it, waits for its turn, runs it, and releases its resources in any case. */
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
    const announced = Number(request.headers.get('content-length') ?? 0);
    let run = await readRequest(route, request, { deadline, limits, upload, announced, incoming });
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
      giveBack(); // a response in lines takes its own turns, because its client may be slow
    }
  } catch (error) {
    end(error);
    return problemReply(error);
  }
}

/** A request that has been read. */
interface ReadRequest {
  readonly start: (call: Call) => Promise<Answer>;
  /** Its bytes, if they have not been parsed yet. */
  readonly body?: Uint8Array;
  /** Whether its candidates are still arriving. */
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

/** A JSON request. It is held as bytes while it waits for its turn. */
const runOfBody = ({ answer }: RunRoute, body: Uint8Array): ReadRequest => ({
  body,
  start: (call) => answer(parseBody(body), call),
});

async function* oneByOne(chunks: AsyncIterable<readonly object[]>): AsyncGenerator<object> {
  for await (const chunk of chunks) yield* chunk;
}

function replyOf(answer: Answer, incoming: Readable, deadline: Deadline, end: RequestEnded): Reply {
  if ('lines' in answer) return linesReply(answer.lines, incoming, deadline, end);
  const reply = 'text' in answer ? textReply(answer.text) : jsonReply(answer.json);
  end();
  return reply;
}

/** Whether a request is large enough for a thread. */
const isForThread = (body: Uint8Array, { threads, limits }: ServerParts): boolean =>
  threads !== undefined && body.byteLength >= limits.large;

interface CallScope {
  readonly server: ServerParts;
  readonly caller: Caller;
  readonly signal: AbortSignal;
}

/**
 * Answers a request in a thread.
 *
 * @param body transferred to the thread
 * @returns the response, or the body if no thread can answer for its profile
 */
async function answerInThread(
  kind: RunKind,
  body: Uint8Array,
  { server, caller, signal }: CallScope,
): Promise<{ readonly answer?: Answer; readonly body: Uint8Array }> {
  const { threads, metrics } = server;
  if (!threads) return { body };
  const giveBack = await threads.slots.take(caller.tenant, signal);
  const versionOf = (profile: string): ProfileVersion | undefined => versionForThread(profile, server, caller);
  // The turn is released when the thread is done, which after an abort may be later than the response.
  const replied = threads.answer({ kind, body, versionOf }, signal).finally(giveBack);
  const reply = await new Promise<ThreadReply>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }); // the signal ends with the request
    replied.then(resolve, reject);
  });
  if (reply.kind === 'declined') return { body: reply.body };
  for (const { name, ...counts } of reply.runs) metrics.run(name, counts);
  for (const work of reply.work) publishWork(work);
  if (reply.kind === 'failed') throw fromSentError(reply.failure);
  return { answer: { text: reply.body }, body };
}

/** The active version of a profile; undefined if threads cannot use it, because it has a memory, a service or a shadow, or is not active. */
function versionForThread(profile: string, { profiles }: ServerParts, { tenant }: Caller): ProfileVersion | undefined {
  const found = profiles.has(profile, tenant) ? profiles.find(profile, tenant) : undefined;
  if (!found?.pipeline || !found.isSelfContained || found.pipeline.serve.shadow !== undefined) return undefined;
  const { name, tenant: owner, file, stamps } = found;
  return { profile: { name, tenant: owner, file }, stamps };
}

/** The call of a request that this thread answers. */
const callHere = (server: ServerParts, caller: Caller, deadline: Deadline, wantsLines: boolean): Call => ({
  limits: server.limits,
  signal: deadline.signal,
  wantsLines,
  takeTurn: async () => {
    deadline.now({ isRunning: true });
    const giveBack = await server.slots.takeAgain(caller.tenant, deadline.signal);
    return () => {
      giveBack();
      deadline.now({ isRunning: false });
    };
  },
  takePipeline: (profile) => {
    if (typeof profile !== 'string') return inlinePipeline(profile, server.inline);
    const { name } = server.profiles.find(profile, caller.tenant);
    return { name, pipeline: server.profiles.pipeline(profile, caller.tenant) };
  },
  ran: ({ name, ...counts }) => server.metrics.run(name, counts),
  ranked: (profile, request, ranking) => void rankShadow({ server, caller }, { ...request, profile }, ranking),
});

/**
 * Ranks a request by the profile's shadow, if it has one and the server is idle enough, and measures how many of the
 * selected the shadow also selects. Updates no memory, and never delays or fails a response.
 */
async function rankShadow(
  { server, caller }: { readonly server: ServerParts; readonly caller: Caller },
  { profile, candidates, context, ...options }: RankRequest & { readonly profile: string },
  ranking: Ranking<object>,
): Promise<void> {
  const { profiles, slots, limits, metrics, log } = server;
  if (!profiles.has(profile, caller.tenant)) return; // it was removed during the ranking
  const { name, tenant, pipeline } = profiles.find(profile, caller.tenant);
  const shadow = pipeline?.serve.shadow;
  if (shadow === undefined) return;
  if (!slots.hasRoom || server.isStopping) return metrics.shadow(name, undefined);
  const signal = timeoutSignal(limits.time);
  const giveBack = await slots.take(undefined, signal);
  try {
    const other = profiles.pipeline(tenant === undefined ? shadow : `${tenant}/${shadow}`);
    const seen = await other.rank(candidates, context, { ...options, updateMemory: false, signal });
    metrics.shadow(name, overlapOf(ranking, seen));
  } catch (error) {
    metrics.shadow(name, undefined);
    const reason = toError(error).message;
    log.warn({ profile: name, shadow, reason }, 'a shadow failed');
  } finally {
    giveBack();
  }
}

/** The share of the selected candidates that both rankings select; 1 if neither selects any. */
function overlapOf({ selected }: Ranking<object>, { selected: others }: Ranking<object>): number {
  const theirs = new Set(others.map(({ index }) => index));
  const both = selected.filter(({ index }) => theirs.has(index)).length;
  const either = selected.length + others.length - both;
  return either === 0 ? 1 : both / either;
}
