/**
 * The studio: a page in which a ranking is weighed again, and the weights are written back.
 *
 * @module
 */

export { type ExportOptions, exportStudio, openStudio, type StudioOptions } from './open-studio.js';
export type { Studio } from './server/studio-server.js';
export type { StudioSource } from './server/ranked-profile.js';
