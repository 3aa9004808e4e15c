/**
 * The profiles of a folder while they are served: loaded, watched, reloaded, by tenant.
 *
 * @module
 */

export { expectationsFile } from './find-profiles.js';
export type { ProfileEvent } from './profile-events.js';
export type { ServedPipeline, ServedProfile, TryPipeline } from './served-profile.js';
export { ServedProfiles, type ServedProfilesOptions, shortName } from './served-profiles.js';
