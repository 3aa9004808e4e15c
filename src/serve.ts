/**
 * Profiles over HTTP, watched and replaced while they are served.
 *
 * @module
 */

export {
  type AccessToken,
  type ServeLimits,
  type LogEntry,
  type ServeLog,
  type ProfileEvent,
  type ServedPipeline,
  type ServedProfile,
  type TryPipeline,
  ServedProfiles,
  type ServedProfilesOptions,
  type ServeOptions,
  type AssizeServer,
  startServer,
} from './serve/index.js';
