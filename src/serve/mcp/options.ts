import type { ServedProfiles } from '../profiles/index.js';
import type { ToolLimits } from './limits.js';

/** What a server of the protocol is made with, whatever it speaks over. */
export interface McpOptions {
  readonly profiles: ServedProfiles;
  readonly limits: ToolLimits;
  /** The version of the package, which clients show. */
  readonly version: string;
  /** Hears of messages that are no protocol, and of connections that break. */
  readonly report: (error: Error) => void;
}
