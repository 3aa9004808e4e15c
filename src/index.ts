/**
 * For those who embed Assize: profiles in, rankings out.
 *
 * @module
 */

export * from './portable.js';

// Profiles in, from files too.
export { createPipeline, type PipelineOptions } from './create-pipeline.js';

// Files of candidates, in several threads.
export { rankFile, type RankFileOptions } from './workers/index.js';

// What differs between two rankings.
export { diffProfiles, type ProfileOrPipeline } from './diff-profiles.js';
