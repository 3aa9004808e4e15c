import type { PipelineOptions } from '../../pipeline/node.js';
import type { AccessTokens, HostRules } from '../access.js';
import type { ServedProfiles } from '../profiles/served-profiles.js';
import type { RequestThreads } from '../threads/request-threads.js';
import type { Uploads } from './body.js';
import type { Deadline } from './deadline.js';
import type { ServeLimits } from './limits.js';
import type { ServeMetrics } from './metrics.js';
import type { Slots } from './slots.js';

/** What the routes of a server share. */
export interface ServerParts {
  readonly profiles: ServedProfiles;
  readonly limits: ServeLimits;
  readonly slots: Slots;
  /** Those that answer large requests; undefined: this one does. */
  readonly threads: RequestThreads | undefined;
  readonly uploads: Uploads;
  readonly metrics: ServeMetrics;
  readonly tokens: AccessTokens;
  readonly hosts: HostRules;
  readonly log: ServeLog;
  /** The requests under way. */
  readonly deadlines: Set<Deadline>;
  /** What the pipelines of profiles that requests bring are given; undefined: none may be brought. */
  readonly inline: PipelineOptions | undefined;
  /** Whether it is about to stop: it still answers, and closes each connection with the answer. */
  isStopping: boolean;
}

/** What happens while a server runs, as fields of a line. */
export interface LogEntry {
  readonly level: 'info' | 'warning' | 'error';
  readonly message: string;
  readonly [field: string]: unknown;
}

/** Hears what happens. */
export type ServeLog = (entry: LogEntry) => void;
