/**
 * The profiles of a folder while they are served: loaded, watched, reloaded, by tenant.
 *
 * @module
 */

export { areAmong, changedFiles, type FileStamps, stampsOf, wereUnchanged } from './file-stamps.js';
export { expectationsFile, type ProfileFile } from './find-profiles.js';
export { FolderWatcher } from './folder-watcher.js';
export type { ProfileEvent } from './profile-events.js';
export { type ServedPipeline, ServedProfile, type TryPipeline } from './served-profile.js';
export { ServedProfiles, type ServedProfilesOptions, shortName } from './served-profiles.js';
