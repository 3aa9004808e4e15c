/**
 * Profiles over HTTP, watched and replaced while they are served.
 *
 * @module
 */

export type { AccessToken } from './http/access.js';
export type { ServeLimits } from './http/limits.js';
export type { ServeLog } from './http/server-parts.js';
export type { ProfileEvent, ServedPipeline, ServedProfile, TryPipeline } from './profiles/served-profile.js';
export { ServedProfiles, type ServedProfilesOptions } from './profiles/served-profiles.js';
export type { AppOptions, ServeOptions } from './serve-options.js';
export { type AssizeApp, createApp } from './create-app.js';
export { type AssizeServer, startServer } from './start-server.js';
export { type LocalServer, type LocalServerOptions, serveLocally } from './http/local-server.js';
