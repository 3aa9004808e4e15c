/**
 * What other modules use of `pipeline` where Node is present.
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
  PIPELINE_OPTIONS,
  type PipelineOptions,
  type ProfileSources,
} from './create-pipeline.js';
export { diffProfiles, type ProfileOrPipeline } from './diff-profiles.js';
