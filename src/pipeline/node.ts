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
  type ProfileSources,
  diffProfiles,
} from './create-pipeline.js';
export type { ProfileOrPipeline } from './open-profile.js';
