import type { Ranking } from 'assize';
import { timeoutSignal } from 'assize/sdk';
import type { Deadline } from '../http/deadline.js';
import type { Caller, ServerParts } from '../http/server-parts.js';
import { type Call, inlinePipeline, type RankRequest } from './call.js';

/** The call of a request that this thread answers. */
export const callHere = (server: ServerParts, caller: Caller, deadline: Deadline, wantsLines: boolean): Call => ({
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
    const reason = error instanceof Error ? error.message : String(error);
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
