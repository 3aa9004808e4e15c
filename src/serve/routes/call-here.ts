import type { Caller } from '../access/index.js';
import type { Deadline } from '../http/deadline.js';
import type { ServerParts } from '../http/server-parts.js';
import { type Call, inlinePipeline } from './call.js';
import { rankShadow } from './shadow.js';

/** The call of a request that is answered by this thread. */
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
