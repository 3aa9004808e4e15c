/**
 * Profiles over HTTP, watched and replaced while they are served.
 *
 * @module
 */

export {
  type AccessToken,
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
} from './serve/index.js';
