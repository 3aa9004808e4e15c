/**
 * The profiles of a folder while they are served: loaded, watched, reloaded, by tenant.
 *
 * @module
 */

export { areAmong, type FileStamps } from './file-stamps.js';
export { expectationsFile, type ProfileFile } from './find-profiles.js';
export type { ProfileEvent } from './profile-events.js';
export { type ServedPipeline, ServedProfile, type TryPipeline } from './served-profile.js';
export { ServedProfiles, type ServedProfilesOptions, shortName } from './served-profiles.js';
