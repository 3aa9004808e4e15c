import type { Caller } from '../access/index.js';
import type { ServerParts } from '../http/server-parts.js';
import { type Call, inlinePipeline } from './call.js';
import { rankShadow } from './shadow.js';

/** The call of a request that is answered by this thread. */
export const callHere = (server: ServerParts, caller: Caller, signal: AbortSignal, wantsLines: boolean): Call => ({
  limits: server.limits,
  signal,
  wantsLines,
  takePipeline: (profile) => {
    if (typeof profile !== 'string') return inlinePipeline(profile, server.inline);
    const { name } = server.profiles.find(profile, caller.tenant);
    return { name, pipeline: server.profiles.pipeline(profile, caller.tenant) };
  },
  ran: ({ name, ...counts }) => server.metrics.run(name, counts),
  ranked: (profile, request, ranking) => void rankShadow({ server, caller }, { ...request, profile }, ranking),
});
