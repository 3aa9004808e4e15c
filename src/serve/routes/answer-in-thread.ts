import type { Caller } from '../access/index.js';
import { untilAborted } from '../../engine/tasks.js';
import type { RunKind } from '../http/envelopes.js';
import type { ServerParts } from '../http/server-parts.js';
import { fromFailedRequest } from '../threads/failed-request.js';
import type { ProfileVersion } from '../threads/messages.js';
import { publishWork } from '../threads/recorded-work.js';
import type { Answer } from './call.js';

/** Whether a request is large enough for a thread. */
export const isForThread = (body: Uint8Array, { threads, limits }: ServerParts): boolean =>
  threads !== undefined && body.byteLength >= limits.large;

interface Asked {
  readonly server: ServerParts;
  readonly caller: Caller;
  readonly signal: AbortSignal;
}

/**
 * Answers a request in a thread.
 *
 * @param body given away
 * @returns the answer; or the body, where no thread can answer by its profile
 */
export async function answerInThread(
  kind: RunKind,
  body: Uint8Array,
  { server, caller, signal }: Asked,
): Promise<{ readonly answer?: Answer; readonly body: Uint8Array }> {
  const { threads, metrics } = server;
  if (!threads) return { body };
  const giveBack = await threads.slots.take(caller.tenant, signal);
  const versionOf = (profile: string): ProfileVersion | undefined => versionForThread(profile, server, caller);
  // The turn is given back by the thread, which may hear of an abort later than the client does.
  const replied = threads.answer({ kind, body, versionOf }, signal).finally(giveBack);
  const reply = await untilAborted(replied, signal);
  if (reply.kind === 'declined') return { body: reply.body };
  for (const { name, ...counts } of reply.runs) metrics.run(name, counts);
  for (const work of reply.work) publishWork(work);
  if (reply.kind === 'failed') throw fromFailedRequest(reply.failure);
  return { answer: { text: reply.body }, body };
}

/** The version of a profile that answers now; undefined where it is not for threads: it has a memory, a service, a shadow, or does not answer. */
function versionForThread(profile: string, { profiles }: ServerParts, { tenant }: Caller): ProfileVersion | undefined {
  const found = profiles.has(profile, tenant) ? profiles.find(profile, tenant) : undefined;
  if (!found?.pipeline || !found.isSelfContained || found.pipeline.serve.shadow !== undefined) return undefined;
  const { name, tenant: owner, file, stamps } = found;
  return { profile: { name, tenant: owner, file }, stamps };
}
