/**
 * What the packages around the engine share with it: `@assize/evaluate`, `@assize/serve`, `@assize/studio` and
 * `@assize/jobs`. Their versions equal that of `assize`. Nothing here is a promise to anyone else: a name can change or
 * go in any release.
 *
 * @module
 */

// The version of Assize.
export { packageVersion } from './base/node.js';

// Options, problems and their texts.
export {
  bars,
  checkOptions,
  counted,
  describeValue,
  didYouMean,
  escapeInvisibleInLine,
  formatNumber,
  formatSigned,
  nameList,
  type OptionTypes,
  problemJson,
  snakeCaseKeys,
  SourceFile,
  toAssizeError,
  toError,
} from './base/index.js';

// Values and paths.
export { compilePath, isMap, ownValue, type PathReader, setOwn } from './expression/index.js';

// Files of candidates and documents, and the JSON of requests.
export { checkDepth, parseJsonText } from './data/index.js';
export {
  candidatesAfterHeader,
  type CandidateSource,
  codecOf,
  detectFileFormat,
  formatByExtension,
  readCandidates,
  readSourceFile,
  RowFile,
  RowProblems,
} from './data/node.js';
export { combineFacts, isProfilePath, type Profile, schemaProblems } from './profile/index.js';
export { parseDocument } from './profile/node.js';

// Profiles and pipelines.
export { untilAborted } from './engine/index.js';
export { SHIPPED_PLUGINS } from './pipeline/index.js';
export {
  effectiveProfile,
  loadPlugins,
  openPipeline,
  openProfile,
  pluginFiles,
  profileFormat,
} from './pipeline/node.js';

// Rankings, as JSON, and as the responses of rerankers.
export { documentCandidates, rerankResult } from './adapters/index.js';
export { rankByModel, rankingJson, rowJson } from './ranking/index.js';

// Servers: access, changed files, and work that runs in several threads.
export { type AccessToken, FolderWatcher, readTokens, ServerAccess, TrackedFiles } from './pipeline/node.js';
export { traceChannels } from './services/node.js';

// Runs whose parts are ranked on other machines.
export {
  isRankPart,
  ProfileParts,
  type RankPart,
  ShardLines,
  type SharedRun,
  startSharedRun,
} from './scale/parts/index.js';
