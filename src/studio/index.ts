/**
 * The names that other modules import from `studio`.
 *
 * @module
 */

export { type SettingsInLink, withSettings } from './data/link-state.js';
export { exportStudio, openStudio, type StudioOptions } from './open-studio.js';
export type { StudioSource } from './server/ranked-profile.js';
export type { Studio } from './server/studio-server.js';
