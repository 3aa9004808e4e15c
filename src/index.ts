/**
 * For those who embed Assize: profiles in, rankings out.
 *
 * @module
 */

export * from './portable.js';

// Profiles in, from files too.
export {
  createPipelineOnDemand as createPipeline,
  type PipelineOptions,
  diffProfilesOnDemand as diffProfiles,
  type ProfileOrPipeline,
} from './pipeline/node.js';

// Files of candidates, in several threads or on several machines.
export type { CandidateSource } from './data/node.js';
export type { SharedRun } from './scale/parts/index.js';
export { rankFileOnDemand as rankFile, type RankFileOptions } from './scale/threads/index.js';

// What runs do, piece by piece.
export { type Follower, followWork } from './services/node.js';
