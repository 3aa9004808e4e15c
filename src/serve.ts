/**
 * Profiles over HTTP, watched and replaced while they are served.
 *
 * @module
 */

export type { AccessToken } from './internal.js';
export {
  type ServeLimits,
  type ServeLog,
  type ProfileEvent,
  type ServedPipeline,
  type ServedProfile,
  type TryPipeline,
  ServedProfiles,
  type ServedProfilesOptions,
  type AppOptions,
  type ServeOptions,
  type AssizeApp,
  createApp,
  type AssizeServer,
  startServer,
  type LocalServer,
  type LocalServerOptions,
  serveLocally,
} from './serve/index.js';
