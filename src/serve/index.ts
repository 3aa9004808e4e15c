/**
 * Profiles over HTTP, watched and replaced while they are served.
 *
 * @module
 */

export type { AccessToken } from './access.js';
export type { ServeLimits } from './http/limits.js';
export type { LogEntry, ServeLog } from './http/server-parts.js';
export {
  type ProfileEvent,
  type ServedPipeline,
  type ServedProfile,
  ServedProfiles,
  type ServedProfilesOptions,
  type TryPipeline,
} from './profiles/index.js';
export type { ServeOptions } from './serve-options.js';
export { type AssizeServer, startServer } from './start-server.js';
