/**
 * What the packages around the engine share with it: `@assize/evaluate`, `@assize/serve`, `@assize/studio`,
 * `@assize/jobs` and `@assize/lsp`. Their versions equal that of `assize`. Nothing here is a promise to anyone else: a name can change or
 * go in any release. Types in the public declarations of a package are exported from `assize`, not from here.
 *
 * @module
 */

// The version of Assize, for the output of packages and the fingerprints of jobs.
export { packageVersion } from './base/node.js';

// Options, problems, errors and their texts, in the words of the engine.
export {
  checkOptions,
  describeValue,
  escapeInvisibleInLine,
  formatNumber,
  nameList,
  problemJson,
  snakeCaseKeys,
  toError,
} from './base/index.js';

// The paths of profiles, compiled: `metadata.task`; and which params name something outside of a profile.
export { compilePath, reachOf } from './expression/index.js';

// The JSON of requests: its syntax, and its depth.
export { checkDepth, parseJsonText } from './data/index.js';

// Files of candidates, judgements and profiles, with the places of their problems.
export {
  candidatesAfterHeader,
  readSourceFile,
  RowFile,
  RowProblems,
  titledFormat,
} from './data/node.js';
export { parseDocument } from './profile/node.js';

// Profiles: how they are named, what tuning reads of a compiled one, and the problems that a schema finds.
export { combineFacts, isProfilePath, type Profile, schemaProblems } from './profile/index.js';

// Profiles and pipelines with their sources, the plugins that ship, and the profile format.
export {
  effectiveProfile,
  loadPlugins,
  openPipeline,
  openProfile,
  pluginFiles,
  profileFormat,
} from './pipeline/node.js';

// Rankings with other weights, as JSON, and as the responses of rerankers.
export { documentsToRank } from './adapters/index.js';
export { rankByModel, rankingJson, rowJson } from './ranking/index.js';

// Servers: changed files, and traces of work in other threads.
export { FolderWatcher, TrackedFiles } from './pipeline/node.js';
export { traceChannels } from './services/node.js';

// Runs whose parts are ranked on other machines, and waiting for them until a signal.
export { untilAborted } from './engine/index.js';
export {
  isGroupPart,
  isRankPart,
  ProfileGroups,
  ProfileParts,
  ShardLines,
  startSharedRun,
} from './scale/parts/index.js';
