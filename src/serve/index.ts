/**
 * The names that other modules import from `serve`.
 *
 * @module
 */

export type { ServeLimits } from './http/limits.js';
export { type LocalServer, type LocalServerOptions, serveLocally } from './http/local-server.js';
export type { ServeLog } from './http/server-parts.js';
export {
  type ProfileEvent,
  type ServedPipeline,
  ServedProfile,
  type TryPipeline,
} from './profiles/served-profile.js';
export { ServedProfiles, type ServedProfilesOptions } from './profiles/served-profiles.js';
export { type AssizeApp, createApp } from './create-app.js';
export type { AppOptions, ServeOptions } from './serve-options.js';
export { type AssizeServer, startServer } from './start-server.js';
export { instrument, type Providers } from './telemetry/instrument.js';
