/**
 * The profiles of a folder while they are served: loaded, watched, reloaded, by tenant.
 *
 * @module
 */

export {
  areAmong,
  changedFiles,
  type FileStamps,
  stampsOf,
  wereUnchanged,
  type ProfileEvent,
  type ServedPipeline,
  ServedProfile,
  type TryPipeline,
} from './served-profile.js';
export { expectationsFile, type ProfileFile } from './find-profiles.js';
export { FolderWatcher } from './folder-watcher.js';
export { ServedProfiles, type ServedProfilesOptions, shortName } from './served-profiles.js';
