/**
 * The names that other modules import from `serve`.
 *
 * @module
 */

export { type AccessToken, AccessTokens, hostsOf, sourceRefusal } from './access.js';
export { createHttpServer, serverLibrary } from './http/hono.js';
export type { ServeLimits } from './http/limits.js';
export { listen } from './http/listen.js';
export type { ServeLog } from './http/server-parts.js';
export { FolderWatcher } from './profiles/folder-watcher.js';
export {
  changedFiles,
  type FileStamps,
  type ProfileEvent,
  type ServedPipeline,
  ServedProfile,
  stampsOf,
  type TryPipeline,
  wereUnchanged,
} from './profiles/served-profile.js';
export { ServedProfiles, type ServedProfilesOptions } from './profiles/served-profiles.js';
export { type AssizeApp, createApp } from './create-app.js';
export { type AppOptions, readTokens, type ServeOptions } from './serve-options.js';
export { type AssizeServer, startServer } from './start-server.js';
export { instrument, type Providers } from './telemetry/instrument.js';
export type { MeterProvider, TracerProvider } from './telemetry/open-telemetry.js';
