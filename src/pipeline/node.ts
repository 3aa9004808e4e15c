/**
 * The exports of `pipeline` for other modules that need Node.
 *
 * @module
 */

export {
  createCompiledProfile,
  createPipeline,
  createTrackedPipeline,
  effectiveProfile,
  loadPlugins,
  noSources,
  openPipeline,
  openProfile,
  PIPELINE_OPTIONS,
  type PipelineOptions,
  pluginFiles,
  type ProfileOrPipeline,
  type ProfileSources,
  diffProfiles,
} from './create-pipeline.js';
