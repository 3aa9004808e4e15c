/**
 * The exports of `pipeline` for other modules that need Node.
 *
 * @module
 */

export {
  createCompiledProfile,
  createPipeline,
  effectiveProfile,
  loadPlugins,
  openPipeline,
  openProfile,
  PIPELINE_OPTIONS,
  type PipelineOptions,
  pluginFiles,
  type ProfileOrPipeline,
} from './create-pipeline.js';
export { createPipelineOnDemand, diffProfilesOnDemand } from './on-demand.js';
export { FolderWatcher, TrackedFiles } from './tracked-files.js';
export { profileFormat } from './profile-format.js';
