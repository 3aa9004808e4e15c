import type { PipelineOptions } from 'assize';
import type { ServedProfiles } from '../profiles/served-profiles.js';
import type { RequestThreads } from '../threads/request-threads.js';
import type { Uploads } from './body.js';
import type { Deadline } from './deadline.js';
import type { ServeLimits } from './limits.js';
import type { ServeMetrics } from './metrics.js';
import type { Slots } from './slots.js';
import type { ServerAccess } from './access.js';

/** The caller of a request. Without a tenant, it may use every profile. */
export type Caller = NonNullable<ReturnType<ServerAccess['callerOf']>>;

/** The state that the routes of a server share. */
export interface ServerParts {
  readonly profiles: ServedProfiles;
  readonly limits: ServeLimits;
  readonly slots: Slots;
  /** The threads that answer large requests; undefined if this thread answers them. */
  readonly threads: RequestThreads | undefined;
  readonly uploads: Uploads;
  readonly metrics: ServeMetrics;
  readonly access: ServerAccess;
  readonly log: ServeLog;
  /** The requests in progress. */
  readonly deadlines: Set<Deadline>;
  /** The options for pipelines of inline profiles; undefined if requests may not contain profiles. */
  readonly inline: PipelineOptions | undefined;
  /** Whether the server is stopping: it still answers, and closes the connection after each response. */
  isStopping: boolean;
}

type LogMethod = (fields: Readonly<Record<string, unknown>>, message: string) => void;

/** Receives each event. A pino logger and `console` have this shape. */
export interface ServeLog {
  info: LogMethod;
  warn: LogMethod;
  error: LogMethod;
}
